// What the server says is wrong, in the language of the page: in English its own words, in Chinese by the code of the error.

import { currentLanguage } from "./i18n.js";

const CHINESE = {
  "another-game": "这不是五子棋的棋谱",
  "answer-too-long": "结果太长，无法发送",
  "arena": "服务器无法继续",
  "bad-cell": "有坐标无法识别",
  "bad-json": "JSON 格式有误",
  "bad-size": "棋盘大小须在 5 到 22 之间",
  "bad-toml": "TOML 格式有误",
  "board": "棋盘内容有误",
  "book": "证明库内容有误",
  "busy": "服务器繁忙，请稍后再试",
  "cell-taken": "同一个点上有两枚棋子",
  "engine": "外部引擎出错",
  "foreign-host": "此服务器不接受这个主机名",
  "foreign-page": "此服务器不接受其他网页的请求",
  "game-over": "对局已经结束",
  "illegal-move": "这一手不合规则",
  "limit": "搜索限制有误",
  "no-position": "没有内容",
  "no-such-address": "没有这个地址",
  "notation": "内容不合棋谱格式",
  "out-of-time": "超出时限，搜索中断",
  "player": "没有这个棋手，或其选项有误",
  "process-died": "搜索中断，请重试",
  "proof": "这不是有效的证明",
  "refused": "内容不合要求",
  "request": "请求内容有误",
  "several-positions": "其中有多个局面，请一次给一个",
  "suite": "题集无法使用",
  "table": "棋形表无法使用",
  "too-long": "内容太长",
  "too-slow": "请求未及时送达",
  "unknown-format": "不认得这种棋谱格式",
  "unknown-rule": "规则名称无法识别",
  "wrong-method": "请求方式有误",
};

// The reason of an error, with its place in the text.
export function reason({ message, told = {} }) {
  const { code, line, column } = told;
  if (currentLanguage() !== "zh") return (line ? `line ${line}${column ? `, column ${column}` : ""}: ` : "") + (told.reason ?? message);
  return `${line ? `第 ${line} 行${column ? `第 ${column} 列` : ""}，` : ""}${CHINESE[code] ?? CHINESE.refused}。`;
}
