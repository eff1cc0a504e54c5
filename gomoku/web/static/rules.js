// Who has won, for as long as the server cannot be asked. What is forbidden under renju only the server knows.

const STEPS = [[0, 1], [1, 0], [1, 1], [1, -1]];

export function factsOffline({ rows, cols, rule, black, white }) {
  const stones = { black: new Set(black.map(String)), white: new Set(white.map(String)) };
  for (const colour of ["black", "white"]) {
    for (const cell of colour === "black" ? black : white) {
      const line = STEPS.map((step) => winningRow(cell, step, colour)).find(Boolean);
      if (line) return { winner: colour, over: true, line, forbidden: [], fouls: [] };
    }
  }
  return { winner: null, over: black.length + white.length === rows * cols, line: [], forbidden: [], fouls: [] };

  function winningRow([row, col], [down, right], colour) {
    const has = (at) => stones[colour].has(`${row + at * down},${col + at * right}`);
    if (has(-1)) return null;
    let length = 1;
    while (has(length)) length += 1;
    if (length < 5 || (length > 5 && exactly(colour)) || (rule.startsWith("caro") && shut(row, col, down, right, length, colour))) return null;
    return Array.from({ length }, (_, at) => [row + at * down, col + at * right]);
  }

  function exactly(colour) {
    return rule === "standard" || rule === "caro" || (rule === "renju" && colour === "black");
  }

  // Under caro a five with the other colour at both ends does not count.
  function shut(row, col, down, right, length, colour) {
    const theirs = stones[colour === "black" ? "white" : "black"];
    return length === 5 && [-1, length].every((at) => theirs.has(`${row + at * down},${col + at * right}`));
  }
}
