// The words of the page in English and Chinese. `t("key", value)` puts the value in the place of {}.

const WORDS = {
  en: {
    skip: "Skip to the board", "tab.play": "Play", "tab.puzzle": "Puzzles", "tab.analysis": "Analysis", "tab.share": "Import / export",
    theme: "Light or dark", undo: "Undo", redo: "Redo", hint: "Hint", swap: "Swap sides", resign: "Resign", stop: "Move now", numbers: "Numbers", retry: "Try again",
    "new.title": "New game", "new.opponent": "Opponent", "new.strength": "Strength", "new.colour": "You play", "new.rule": "Rule", "new.size": "Size", "new.start": "Start",
    black: "Black", white: "White", both: "Both sides", rows: "Rows", cols: "Columns",
    "rule.freestyle": "Freestyle", "rule.standard": "Standard", "rule.renju": "Renju", "rule.caro": "Caro",
    "moves.title": "Moves", you: "You", "strength.1": "1 · beginner", "strength.2": "2 · easy", "strength.3": "3 · club", "strength.4": "4 · strong", "strength.5": "5 · strongest",
    "puzzle.title": "欢乐五子棋: twenty endgames", "puzzle.about": "Black to move and win. The defence answers as stubbornly as it can.",
    "puzzle.again": "Start over", "puzzle.next": "Next level", "puzzle.progress": "{} of 20 solved", "puzzle.level": "Level {}", "puzzle.solved": "Level {} solved!", "puzzle.lost": "The defence held. Take back or start over.",
    prove: "Prove the win", "analysis.title": "Patterns", "analysis.table": "Table", "analysis.heat": "Heat map", "heat.none": "None",
    "analysis.about": "Point at a cell, or move to it with the arrow keys, to see what it completes.", "explain.none": "{}: no pattern", "explain.shape": "Shape", "explain.worth": "Worth", "explain.sum": "Together", "explain.line": "Cells",
    "share.title": "Import and export", "share.format": "Notation", "share.text": "Position in any notation", "share.export": "Export", "share.import": "Import", "share.copy": "Copy", "share.link": "Link to this position",
    "proof.title": "The proof", "proof.help": "Play any defence on the board: the proof answers it.", "proof.back": "Take back", "proof.close": "Close the proof",
    "proof.about": "{} wins in {} plies at most; every legal reply was checked: {} replies.", "proof.refuted": "Refuted: five in a row.", "proof.none": "No win was proven ({}).", "proof.searching": "Looking for a proof …",
    "turn.black": "Black to move", "turn.white": "White to move", "won.black": "Black has won", "won.white": "White has won", draw: "The board is full: a draw", thinking: "{} is thinking …", resigned: "{} resigned",
    "cell.empty": "{}, empty", "cell.black": "{}, black", "cell.white": "{}, white", "cell.forbidden": "{}, forbidden to black", forbidden: "{} is forbidden to black",
    "error.network": "The server does not answer. The game is safe in this browser.", "error.busy": "The server is busy.", progress: "{} s · depth {} · {} nodes", hinted: "Hint: {}", imported: "Position imported", copied: "Copied",
  },
  zh: {
    skip: "跳到棋盘", "tab.play": "对局", "tab.puzzle": "残局", "tab.analysis": "分析", "tab.share": "导入 / 导出",
    theme: "明暗", undo: "悔棋", redo: "重做", hint: "提示", swap: "换边", resign: "认输", stop: "立即落子", numbers: "手数", retry: "重试",
    "new.title": "新对局", "new.opponent": "对手", "new.strength": "棋力", "new.colour": "执子", "new.rule": "规则", "new.size": "棋盘", "new.start": "开始",
    black: "黑方", white: "白方", both: "双方", rows: "行数", cols: "列数",
    "rule.freestyle": "无禁手", "rule.standard": "标准(恰五)", "rule.renju": "连珠(禁手)", "rule.caro": "Caro",
    "moves.title": "着法", you: "你", "strength.1": "1 · 入门", "strength.2": "2 · 容易", "strength.3": "3 · 中级", "strength.4": "4 · 高级", "strength.5": "5 · 最强",
    "puzzle.title": "欢乐五子棋残局二十关", "puzzle.about": "黑先胜。防守方会顽强应对。",
    "puzzle.again": "重来", "puzzle.next": "下一关", "puzzle.progress": "已解 {} / 20", "puzzle.level": "第 {} 关", "puzzle.solved": "第 {} 关已解!", "puzzle.lost": "防守成功。请悔棋或重来。",
    prove: "证明必胜", "analysis.title": "棋形", "analysis.table": "棋形表", "analysis.heat": "热力图", "heat.none": "无",
    "analysis.about": "指向一个点(或用方向键移动)查看它形成的棋形。", "explain.none": "{}:没有棋形", "explain.shape": "棋形", "explain.worth": "分值", "explain.sum": "合计", "explain.line": "点",
    "share.title": "导入与导出", "share.format": "记谱", "share.text": "任意记谱的局面", "share.export": "导出", "share.import": "导入", "share.copy": "复制", "share.link": "此局面的链接",
    "proof.title": "证明", "proof.help": "在棋盘上走任意防守,证明都会应对。", "proof.back": "退回", "proof.close": "关闭证明",
    "proof.about": "{}至多 {} 手获胜;每个合法应手都已验证:共 {} 个。", "proof.refuted": "已驳倒:五连。", "proof.none": "没有证明必胜({})。", "proof.searching": "正在寻找证明 …",
    "turn.black": "轮到黑方", "turn.white": "轮到白方", "won.black": "黑方胜", "won.white": "白方胜", draw: "棋盘已满:和棋", thinking: "{} 思考中 …", resigned: "{} 认输",
    "cell.empty": "{},空", "cell.black": "{},黑子", "cell.white": "{},白子", "cell.forbidden": "{},黑方禁手", forbidden: "{} 是黑方禁手",
    "error.network": "服务器没有响应。对局保存在此浏览器中。", "error.busy": "服务器繁忙。", progress: "{} 秒 · 深度 {} · {} 节点", hinted: "提示:{}", imported: "局面已导入", copied: "已复制",
  },
};

let language = localStorage.getItem("language") || (navigator.language.startsWith("zh") ? "zh" : "en");

export function t(key, ...values) {
  const text = WORDS[language][key] ?? key;
  return values.reduce((left, value) => left.replace("{}", value), text);
}

export function currentLanguage() {
  return language;
}

export function setLanguage(chosen) {
  language = chosen;
  localStorage.setItem("language", chosen);
  translatePage();
}

export function translatePage() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
}
