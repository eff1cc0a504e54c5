// Glicko-2, after Mark E. Glickman's "Example of the Glicko-2 system": how strong somebody is, and how certain that is.
// A puzzle plays like an opponent whose rating is known. puzzles/rating.py is the same in Python.

const SCALE = 173.7178;
const TAU = 0.5;
const CLOSE = 1e-6;

export const BEGINNING = { value: 1500, deviation: 350, volatility: 0.06 };

const weight = (spread) => 1 / Math.sqrt(1 + (3 * spread * spread) / Math.PI ** 2);
const chance = (mean, other, heavy) => 1 / (1 + Math.exp(-heavy * (mean - other)));
const inside = (value) => (value - 1500) / SCALE;

// The rating after a period with these results: [{ value, deviation, score }], 1 for a win and 0 for a loss.
export function rated({ value, deviation, volatility }, results) {
  const [mean, spread] = [inside(value), deviation / SCALE];
  let [information, gained] = [0, 0];
  for (const one of results) {
    const heavy = weight(one.deviation / SCALE);
    const likely = chance(mean, inside(one.value), heavy);
    information += heavy * heavy * likely * (1 - likely);
    gained += heavy * (one.score - likely);
  }
  if (!information) return { value, deviation: Math.min(350, SCALE * Math.hypot(spread, volatility)), volatility };
  const changed = volatilityAfter(volatility, spread, 1 / information, gained / information);
  const after = 1 / Math.sqrt(1 / (spread * spread + changed * changed) + information);
  return { value: 1500 + SCALE * (mean + after * after * gained), deviation: SCALE * after, volatility: changed };
}

// Where Glickman's function is zero, by the Illinois variant of regula falsi.
function volatilityAfter(before, spread, variance, change) {
  const start = Math.log(before * before);
  const slope = (x) => {
    const grown = Math.exp(x);
    const below = spread * spread + variance + grown;
    return (grown * (change * change - below)) / (2 * below * below) - (x - start) / TAU ** 2;
  };
  let [left, right] = [start, otherEnd(start, slope, change * change - spread * spread - variance)];
  let [atLeft, atRight] = [slope(left), slope(right)];
  while (Math.abs(right - left) > CLOSE) {
    const middle = left + ((left - right) * atLeft) / (atRight - atLeft);
    const found = slope(middle);
    if (found * atRight <= 0) [left, atLeft] = [right, atRight];
    else atLeft /= 2;
    [right, atRight] = [middle, found];
  }
  return Math.exp(left / 2);
}

function otherEnd(start, slope, excess) {
  if (excess > 0) return Math.log(excess);
  let step = 1;
  while (slope(start - step * TAU) < 0) step += 1;
  return start - step * TAU;
}
