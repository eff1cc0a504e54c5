// A small opponent that lives in the page, for when there is no network: it adds up the fives that are still open to either side.

const STEPS = [[0, 1], [1, 0], [1, 1], [1, -1]];
const OWN = [1, 12, 90, 900, 100_000];
const THEIRS = [1, 10, 70, 700, 20_000];

export function pocketMove({ rows, cols, black, white, to_move: turn }) {
  const own = new Set((turn === "black" ? black : white).map(String));
  const theirs = new Set((turn === "black" ? white : black).map(String));
  const worth = (cell) => STEPS.reduce((sum, step) => sum + along(cell, step), 0) + nearness(cell) + Math.random();
  let best = null;
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      if (own.has(`${row},${col}`) || theirs.has(`${row},${col}`)) continue;
      const value = worth([row, col]);
      if (!best || value > best.value) best = { value, cell: [row, col] };
    }
  }
  return best?.cell ?? null;

  // What the fives through a cell on one line are worth: those with stones of one side only.
  function along([row, col], [down, right]) {
    let sum = 0;
    for (let start = -4; start <= 0; start += 1) {
      const places = [0, 1, 2, 3, 4].map((at) => [row + (start + at) * down, col + (start + at) * right]);
      if (!places.every(([r, c]) => r >= 0 && r < rows && c >= 0 && c < cols)) continue;
      const mine = places.filter((place) => own.has(String(place))).length;
      const other = places.filter((place) => theirs.has(String(place))).length;
      if (!other) sum += OWN[mine];
      if (!mine) sum += THEIRS[other];
    }
    return sum;
  }

  function nearness([row, col]) {
    return 3 - (Math.abs(row - (rows - 1) / 2) + Math.abs(col - (cols - 1) / 2)) / (rows + cols);
  }
}
