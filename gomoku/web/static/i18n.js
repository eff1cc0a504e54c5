// The words of the page in English and Chinese. `t("key", value)` puts the value in the place of {}.

import { keep, kept } from "./store.js";

const WORDS = {
  en: {
    skip: "Skip to the board", "tab.play": "Play", "tab.puzzle": "Puzzles", "tab.analysis": "Analysis", "tab.share": "Import / export",
    theme: "Light or dark", undo: "Undo", redo: "Redo", hint: "Hint", swap: "Swap sides", resign: "Resign", stop: "Move now", numbers: "Numbers", retry: "Try again", "stop.solve": "Stop", close: "Close", bar: "Evaluation, Black minus White",
    mode: "Mode", board: "Board", controls: "Moves", levels: "Levels",
    "new.title": "New game", "new.opponent": "Opponent", "new.strength": "Strength", "new.colour": "You play", "new.rule": "Rule", "new.size": "Size", "new.start": "Start",
    black: "Black", white: "White", both: "Both sides", rows: "Rows", cols: "Columns",
    "rule.freestyle": "Freestyle", "rule.standard": "Standard", "rule.renju": "Renju", "rule.caro": "Caro", "rule.caro-overline": "Caro, overlines win",
    "moves.title": "Moves", proof: "The proof", "said.move": "{}: {}.", you: "You", "strength.1": "1 · beginner", "strength.2": "2 · easy", "strength.3": "3 · club", "strength.4": "4 · strong", "strength.5": "5 · strongest",
    "puzzle.title": "欢乐五子棋: twenty endgames", "puzzle.about": "Black to move and win. The defence answers as stubbornly as it can.",
    "puzzle.again": "Start over", "puzzle.next": "Next level", "puzzle.progress": "{} of 20 solved", "puzzle.defence": "The defence", "puzzle.choose": "Choose a level.", "puzzle.level": "Level {}", "puzzle.solved": "Level {} solved!", "puzzle.lost": "The defence held. Take back or start over.",
    prove: "Prove the win", "analysis.title": "Patterns", "analysis.table": "Table", "analysis.heat": "Heat map", "heat.none": "None",
    "analysis.about": "Point at a cell, or move to it with the arrow keys, to see what it completes.", "explain.none": "{}: no pattern", "explain.shape": "Shape", "explain.worth": "Worth", "explain.sum": "Together", "explain.line": "Cells", "explain.note": "Worth is Black's: what helps White is negative.",
    "lines.ask": "Best moves", "lines.rank": "#", "lines.value": "Value", "lines.line": "Line", "lines.black": "Black wins in {}", "lines.white": "White wins in {}",
    "share.title": "Import and export", "share.format": "Notation", "share.text": "Position in any notation", "share.export": "Export", "share.import": "Import", "share.copy": "Copy", "share.link": "Link to this position",
    "proof.title": "The proof", "proof.help": "Play any defence on the board: the proof answers it.", "proof.back": "Take back", "proof.close": "Close the proof",
    "proof.about": "{} wins in {} plies at most; every legal reply was checked: {} replies.", "proof.refuted": "Refuted: five in a row.", "proof.disproven": "No win by threat upon threat: all of them were tried.", "proof.unknown": "No win was found in the time there was.", "proof.cancelled": "The search for a proof was stopped.", "proof.searching": "Looking for a proof …",
    "turn.black": "Black to move", "turn.white": "White to move", "won.black": "Black has won", "won.white": "White has won", draw: "The board is full: a draw", "draw.stuck": "Every cell left is forbidden to Black: a draw", thinking: "{} is thinking …", resigned: "{} resigned",
    "cell.empty": "{}, empty", "cell.black": "{}, black", "cell.white": "{}, white", "cell.forbidden": "{}, forbidden to black", forbidden: "{} is forbidden to black",
    "error.network": "The server does not answer. The game is safe in this browser.", "error.busy": "The server is busy.", "error.refused": "{}", progress: "{} s · depth {} · {} nodes", hinted: "Hint: {}", imported: "Position imported", copied: "Copied", "import.bad": "This is no position: {}", "link.bad": "The link holds no game that can be read.",
  },
  zh: {
    skip: "跳到棋盘", "tab.play": "对局", "tab.puzzle": "残局", "tab.analysis": "分析", "tab.share": "导入 / 导出",
    theme: "明暗", undo: "悔棋", redo: "重做", hint: "提示", swap: "换边", resign: "认输", stop: "立即落子", numbers: "手数", retry: "重试", "stop.solve": "停止", close: "关闭", bar: "评估:黑方减白方",
    mode: "模式", board: "棋盘", controls: "着法", levels: "关卡",
    "new.title": "新对局", "new.opponent": "对手", "new.strength": "棋力", "new.colour": "执子", "new.rule": "规则", "new.size": "棋盘", "new.start": "开始",
    black: "黑方", white: "白方", both: "双方", rows: "行数", cols: "列数",
    "rule.freestyle": "无禁手", "rule.standard": "标准(恰五)", "rule.renju": "连珠(禁手)", "rule.caro": "Caro", "rule.caro-overline": "Caro(长连也胜)",
    "moves.title": "着法", proof: "证明", "said.move": "{}:{}。", you: "你", "strength.1": "1 · 入门", "strength.2": "2 · 容易", "strength.3": "3 · 中级", "strength.4": "4 · 高级", "strength.5": "5 · 最强",
    "puzzle.title": "欢乐五子棋残局二十关", "puzzle.about": "黑先胜。防守方会顽强应对。",
    "puzzle.again": "重来", "puzzle.next": "下一关", "puzzle.progress": "已解 {} / 20", "puzzle.defence": "守方", "puzzle.choose": "请选择一关。", "puzzle.level": "第 {} 关", "puzzle.solved": "第 {} 关已解!", "puzzle.lost": "防守成功。请悔棋或重来。",
    prove: "证明必胜", "analysis.title": "棋形", "analysis.table": "棋形表", "analysis.heat": "热力图", "heat.none": "无",
    "analysis.about": "指向一个点(或用方向键移动)查看它形成的棋形。", "explain.none": "{}:没有棋形", "explain.shape": "棋形", "explain.worth": "分值", "explain.sum": "合计", "explain.line": "点", "explain.note": "分值以黑方计:利于白方的为负。",
    "lines.ask": "最佳着法", "lines.rank": "#", "lines.value": "评分", "lines.line": "变化", "lines.black": "黑方 {} 手胜", "lines.white": "白方 {} 手胜",
    "share.title": "导入与导出", "share.format": "记谱", "share.text": "任意记谱的局面", "share.export": "导出", "share.import": "导入", "share.copy": "复制", "share.link": "此局面的链接",
    "proof.title": "证明", "proof.help": "在棋盘上走任意防守,证明都会应对。", "proof.back": "退回", "proof.close": "关闭证明",
    "proof.about": "{}至多 {} 手获胜;每个合法应手都已验证:共 {} 个。", "proof.refuted": "已驳倒:五连。", "proof.disproven": "没有连续威胁的必胜:均已试过。", "proof.unknown": "在时限内没有找到必胜。", "proof.cancelled": "已停止寻找证明。", "proof.searching": "正在寻找证明 …",
    "turn.black": "轮到黑方", "turn.white": "轮到白方", "won.black": "黑方胜", "won.white": "白方胜", draw: "棋盘已满:和棋", "draw.stuck": "剩下的点都是黑方禁手:和棋", thinking: "{} 思考中 …", resigned: "{} 认输",
    "cell.empty": "{},空", "cell.black": "{},黑子", "cell.white": "{},白子", "cell.forbidden": "{},黑方禁手", forbidden: "{} 是黑方禁手",
    "error.network": "服务器没有响应。对局保存在此浏览器中。", "error.busy": "服务器繁忙。", "error.refused": "请求未被接受:{}", progress: "{} 秒 · 深度 {} · {} 节点", hinted: "提示:{}", imported: "局面已导入", copied: "已复制", "import.bad": "无法读取此局面:{}", "link.bad": "链接中没有可读取的对局。",
    "player.minmax": "在棋形表靠前的点上做 Alpha-beta 搜索。", "player.level": "选对双方合计价值最高的点。", "player.level_tree": "在排序靠前的点上做 Alpha-beta 搜索。",
    "player.wins": "限时 Alpha-beta,按成五的方式估值,越晚的值越轻。", "player.two_ply": "走一步,看对方一应,再比剩下的点值。", "player.mcts": "蒙特卡洛树搜索:随机或引导的模拟,能证明胜负,保留搜索树。",
    "player.random": "随机选一个合法的点。", "player.engine": "基于威胁逐层加深的 Alpha-beta,加上能证明必胜的求解器。", "player.stubborn": "面对必败时,选坚持最久的应手。",
    "table.engine": "引擎的表:成五的余地与活形", "table.grade_dict": "整线的字符串棋形", "table.level": "点的棋形及其合计分值", "table.money": "点值:己方所得减对方所得", "table.outcome": "只看成五", "table.wins": "572 种成五的方式",
  },
};

let language = ["en", "zh"].includes(kept("language")) ? kept("language") : navigator.language.startsWith("zh") ? "zh" : "en";

export function t(key, ...values) {
  const text = WORDS[language][key] ?? key;
  return values.reduce((left, value) => left.replace("{}", () => value), text);
}

// The words for something of the server's, which names it in English.
export function named(key, english) {
  return WORDS[language][key] ?? english;
}

export function currentLanguage() {
  return language;
}

export function setLanguage(chosen) {
  language = chosen;
  keep("language", chosen);
  translatePage();
}

export function translatePage() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
}
