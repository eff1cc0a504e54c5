// What the server says is wrong, in the language of the page: the server speaks English.

import { currentLanguage } from "./i18n.js";

const PLACE = /^text(?::(\d+))?(?::(\d+))?:\s*/;

const CHINESE = [
  [/text is empty|no text|no position/, "没有内容"],
  [/cannot tell the format|one of the notations/, "不认得这种棋谱格式"],
  [/taken|again|a stone on|second time|has a stone/, "同一个点上有两枚棋子"],
  [/second position/, "其中有多个局面，请一次给一个"],
  [/JSON/, "JSON 格式有误"],
  [/in rule|a rule/, "规则名称无法识别"],
  [/5 to 22/, "棋盘大小须在 5 到 22 之间"],
  [/up to \d+|at most \d+|more than \d+/, "内容太长"],
  [/game of Gomoku|game of another kind/, "这不是五子棋的棋谱"],
  [/forbidden/, "这是黑方禁手"],
  [/legal move|empty cell/, "这一手不合规则"],
  [/a cell|coordinate/, "有坐标无法识别"],
  [/winner|is over|has won/, "对局已经结束"],
  [/died|ended|time limit|takes longer/, "搜索中断，请重试"],
];

// The reason of an error, with its place in the text; in Chinese, what is known of it.
export function reason(message) {
  const [place = "", line, column] = PLACE.exec(message) ?? [];
  const bare = message.slice(place.length);
  if (currentLanguage() !== "zh") return (line ? `line ${line}${column ? `, column ${column}` : ""}: ` : "") + bare;
  const known = CHINESE.find(([pattern]) => pattern.test(bare));
  return `${line ? `第 ${line} 行${column ? `第 ${column} 列` : ""}，` : ""}${known ? known[1] : "内容不合要求"}。`;
}
