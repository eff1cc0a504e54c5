// How a game may begin: the 26 openings of renju, and extra stones as a handicap.

// Black h8, white h9 (direct) or i9 (indirect), and where black's second stone goes, from the centre: [name, 名, right, up].
const DIRECT = [
  ["Cold Star", "寒星", 0, 2], ["Valley Moon", "溪月", 1, 2], ["Sparse Star", "疏星", 2, 2], ["Flower Moon", "花月", 1, 1], ["Remaining Moon", "残月", 2, 1],
  ["Rain Moon", "雨月", 1, 0], ["Gold Star", "金星", 2, 0], ["Pine Moon", "松月", 0, -1], ["Hill Moon", "丘月", 1, -1], ["New Moon", "新月", 2, -1],
  ["Lucky Star", "瑞星", 0, -2], ["Mountain Moon", "山月", 1, -2], ["Wandering Star", "游星", 2, -2],
];
const INDIRECT = [
  ["Long Star", "长星", 2, 2], ["Gorge Moon", "峡月", 2, 1], ["Constant Star", "恒星", 2, 0], ["Water Moon", "水月", 2, -1], ["Shooting Star", "流星", 2, -2],
  ["Cloud Moon", "云月", 1, 0], ["Shore Moon", "浦月", 1, -1], ["Mist Moon", "岚月", 1, -2], ["Silver Moon", "银月", 0, -1], ["Bright Star", "明星", 0, -2],
  ["Slant Moon", "斜月", -1, -1], ["Famous Moon", "名月", -1, -2], ["Comet", "彗星", -2, -2],
];

export const RENJU_OPENINGS = [[DIRECT, 0, "D"], [INDIRECT, 1, "I"]].flatMap(([list, whiteRight, letter]) =>
  list.map(([en, zh, right, up], index) => ({ id: `${index + 1}${letter}`, en, zh, steps: [[0, 0], [whiteRight, 1], [right, up]] })));

export const fitsOpening = (rows, cols) => rows >= 5 && cols >= 5;

export function openingMoves(id, rows, cols) {
  const found = RENJU_OPENINGS.find((one) => one.id === id);
  const [row, col] = [(rows - 1) >> 1, (cols - 1) >> 1];
  return found ? found.steps.map(([right, up]) => [row - up, col + right]) : [];
}

// Extra black stones, spread so that no two of them work together at once; White then begins.
export function handicapStones(count, rows, cols) {
  const [row, col] = [(rows - 1) >> 1, (cols - 1) >> 1];
  const reach = Math.max(1, Math.min(4, (Math.min(rows, cols) - 3) >> 1));
  const places = [[0, 0], [-reach, -reach], [reach, reach], [-reach, reach], [reach, -reach]];
  return places.slice(0, count).map(([down, right]) => [row + down, col + right]);
}
