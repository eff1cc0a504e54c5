"""A Gomocup engine for tests: plays the first empty cell, or does one particular thing wrong.

Run as ``python pbrain.py MODE``. It knows nothing of the project, like any engine from elsewhere.
"""

import os
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
size = [15, 15]
taken: set[tuple[int, int]] = set()
turns = 0


def say(text: str) -> None:
    print(text, end="\r" if mode == "cr" else "\n", flush=True)


def first_empty() -> tuple[int, int]:
    return next((x, y) for y in range(size[1]) for x in range(size[0]) if (x, y) not in taken)


def misbehave() -> bool:
    """Whether the mode has dealt with the request for a move."""
    if mode == "crash":
        print("out of ideas", file=sys.stderr, flush=True)
        os._exit(3)
    if mode == "silent" or (mode == "late" and turns == 2):
        time.sleep(30)
    if mode == "slow":
        time.sleep(0.12)
    if mode == "hog":
        hoard = bytearray(os.urandom(1)) * (200 * 2**20)
        time.sleep(30 + len(hoard))
    if mode == "orphan":
        import subprocess

        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(30)"])
        os._exit(3)
    if mode == "child":
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; b = bytearray(b'x') * (200 * 2**20); time.sleep(30)"])
        time.sleep(30)
    if mode == "quitter":
        say("ERROR I give up")
        os._exit(4)
    answers = {
        "outside": f"{size[0]},0",
        "negative": "-1,-1",
        "occupied": "{},{}".format(*next(iter(taken), (0, 0))),
        "error": "ERROR no idea",
        "garbage": "\x00\xffwhat?\n1,2,3\nseven",
    }
    if mode == "flood":
        while True:
            print("x" * 20_000)
    if mode in answers and (mode != "occupied" or taken):
        say(answers[mode])
        if mode == "garbage":
            time.sleep(30)
        return True
    return False


def move_away() -> None:
    """Start a process in a session of its own, or answer without reading any more."""
    if mode == "daemon" and turns == 1:
        import subprocess

        code = "import time; time.sleep(60)"
        subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
    while mode == "deaf":
        say("OK")
        say("0,0")
        time.sleep(0.002)


def move() -> None:
    global turns  # noqa: PLW0603  (one game a process)
    turns += 1
    move_away()
    if misbehave():
        return
    x, y = first_empty()
    if mode == "chatty":
        say("MESSAGE thinking")
        say("DEBUG 1,1")
        say("")
    if mode == "rapfi":
        line = " ".join(f"{chr(ord('A') + x)}{y + 1}" for x, y in [first_empty(), (5, 0), (9, 9)])
        say(f"MESSAGE depth 7-12 ev -31 n 14K n/ms 900 tm 15 pv {line}")
        say("MESSAGE Speed 912K | Depth 9-14 | Eval -45 | Node 1204 | Time 1ms")
    if mode == "mate":
        say("MESSAGE Depth 9-14 | Eval +M11 | Time 23ms | " + "".join(f"H{n}" for n in range(1, 4)))
    if mode == "ours":
        say("MESSAGE depth 7 nodes 1234 white wins in 6 time 10 pv 0,0 1,0")
    if mode == "suggest":
        say(f"SUGGEST {x},{y}")
        return
    taken.add((x, y))
    say(f"{x},{y}")


def information(line: str) -> None:
    if mode == "log":
        print(line, file=sys.stderr, flush=True)
    if mode == "picky":
        say(f"UNKNOWN {line}")
        say("ERROR that is nothing to me")


def read_board() -> None:
    taken.clear()
    while (line := sys.stdin.readline().strip()).upper() != "DONE":
        x, y, _ = line.split(",")
        taken.add((int(x), int(y)))


def main() -> None:
    while line := sys.stdin.readline():
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            size[:] = [int(rest)] * 2
            taken.clear()
            say("MESSAGE hello")
            say("ERROR too big" if mode == "refuse" else "OK")
        elif word == "RECTSTART":
            size[:] = map(int, rest.split(","))
            say("OK")
        elif word == "INFO":
            information(line.strip())
        elif word == "BEGIN":
            move()
        elif word == "BOARD":
            read_board()
            move()
        elif word == "TURN":
            x, y = map(int, rest.split(","))
            taken.add((x, y))
            move()
        elif word == "PLAY":
            x, y = map(int, rest.split(","))
            taken.add((x, y))
            say(f"{x},{y}")
        elif word == "ABOUT" and mode != "nameless":
            say('name="Little", version="0.1"')
        elif word == "END" and mode != "stays":
            return


main()
