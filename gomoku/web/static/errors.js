// What the server says is wrong, in the language of the page: the server speaks English.

import { currentLanguage } from "./i18n.js";

const CHINESE = [
  [/taken already|is taken/, "同一个点上有两枚棋子"],
  [/no text|holds no position|without a position/, "没有内容"],
  [/second position|found a second/, "其中有多个局面，请一次给一个"],
  [/cannot tell|any notation|known notation|a position in/, "不认得这种棋谱格式"],
  [/(rows|cols|columns|side|board).*(5|22)/, "棋盘大小须在 5 到 22 之间"],
  [/body of at most|too large|at most \d+ (bytes|MB|characters)/, "内容太长"],
  [/cell|point|coordinate/, "有坐标无法识别"],
  [/JSON/, "JSON 格式有误"],
  [/rule/, "规则名称无法识别"],
  [/winner|is over|has won/, "对局已经结束"],
  [/forbidden/, "这是黑方禁手"],
  [/died|ended|time limit/, "搜索中断，请重试"],
  [/legal move|empty cell/, "这一手不合规则"],
];

// The reason of an error; in Chinese what is known of it, with the place in the text.
export function reason(message) {
  const bare = message.replace(/^text:\s*/, "");
  if (currentLanguage() !== "zh") return bare;
  const line = /line (\d+)/.exec(message)?.[1];
  const column = /column (\d+)/.exec(message)?.[1];
  const place = line ? `第 ${line} 行${column ? `第 ${column} 列` : ""}：` : "";
  const known = CHINESE.find(([pattern]) => pattern.test(message));
  return place + (known ? known[1] : "内容不合要求") + "。";
}
