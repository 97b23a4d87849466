// SPDX-License-Identifier: MIT
// Every text of the page in English and Chinese. {0}, {1} … stand for what is put in.

const texts = {
  skip: ["To the content", "跳到内容"],
  language: ["中文", "English"],
  home: ["Start", "首页"],
  play: ["Play", "游玩"],
  homeTitle: ["Every position, every distance", "每个局面，每个距离"],
  homeLead: ["Choose a puzzle. The page knows how far each position is from the goal, and each best move.",
    "选一个谜题。本页知道每个局面距目标还有几步，也知道每个最佳走法。"],
  layouts: ["60 layouts of Klotski", "华容道的 60 个布局"],
  ownPuzzles: ["Puzzles of this daemon", "本守护进程自带的谜题"],
  otherPuzzles: ["Other …", "其他……"],
  unsolvableShort: ["no solution", "无解"],
  card8: ["8-puzzle", "3×3 数字华容道"], card8Does: ["181,440 positions, at most 31 moves", "181,440 个局面，最多 31 步"],
  card15: ["15-puzzle", "4×4 数字华容道"], card15Does: ["at most 80 moves", "最多 80 步"],
  card7: ["2×4", "2×4 数字华容道"], card7Does: ["20,160 positions, at most 36 moves", "20,160 个局面，最多 36 步"],
  card11: ["3×4", "3×4 数字华容道"], card11Does: ["239,500,800 positions, at most 53 moves", "239,500,800 个局面，最多 53 步"],
  cardKlotski: ["Klotski", "华容道 · 横刀立马"], cardKlotskiDoes: ["81 moves from the usual layout", "最少 81 步"],
  cardRush: ["Rush Hour", "塞车"], cardRushDoes: ["the hardest board of 6×6: 60 moves", "6×6 最难的局面：60 步"],
  cardSokoban: ["Sokoban", "推箱子"], cardSokobanDoes: ["push each box to a goal", "把每个箱子推到目标"],
  cardJugs: ["Water jugs", "倒水"], cardJugsDoes: ["4 litres with jugs of 3 and 5: 6 moves", "用 3 升和 5 升的壶量出 4 升：6 步"],
  cardHanoi: ["Tower of Hanoi", "汉诺塔"], cardHanoiDoes: ["five discs on three pegs: 31 moves", "三柱五盘：31 步"],
  cardPancake: ["Pancakes", "煎饼排序"], cardPancakeDoes: ["sort a stack by flipping its top", "只翻上面一叠来排序"],
  undo: ["Undo", "撤销"],
  redo: ["Redo", "重做"],
  fresh: ["New board", "新局面"],
  share: ["Copy link", "复制链接"],
  shared: ["The link to this board is copied.", "已复制本局面的链接。"],
  moveTo: ["{0}: then {1} to go", "{0}：还剩 {1}"],
  everyMove: ["Each move, and how far it leads", "每个走法及其距离"],
  here: ["Positions at each distance; the bar of this one is marked", "各距离上的局面数；标出的是当前局面"],
  atMost: ["No board is {0} moves away.", "没有距目标 {0} 步的局面。"],
  optimum: ["the fewest were {0}", "最少 {0} 步"],
  explore: ["Explore", "探索"],
  jobs: ["Jobs", "任务"],
  graph: ["Graph", "状态图"],
  navigation: ["Views", "视图"],
  puzzle: ["Puzzle", "谜题"],
  puzzleHint: ["3x3, klotski:横刀立马, jugs:3,5, …", "3x3、klotski:横刀立马、jugs:3,5……"],
  board: ["Board", "局面"],
  open: ["Open", "打开"],
  moves: ["Moves", "步数"],
  movesSteps: ["Single steps", "单格步数"],
  distance: ["To the goal", "距目标"],
  distanceUnknown: ["unknown", "未知"],
  noTable: ["No table is stored for this puzzle. Explore it first, and the page knows every distance.",
    "还没有这个谜题的距离表。先探索一次，就能知道每个局面的距离。"],
  exploreNow: ["Explore {0} now", "现在探索 {0}"],
  scramble: ["Scramble to distance", "打乱到指定距离"],
  scrambleGo: ["Scramble", "打乱"],
  scrambledWalk: ["Scrambled by random moves: without a table no exact distance.", "随机打乱：没有距离表，无法给出准确距离。"],
  hint: ["Best moves", "最佳走法"],
  solve: ["Show a shortest solution", "演示最短解"],
  restart: ["Start again", "重新开始"],
  solved: ["Solved. Moves made: {0}", "完成！共走 {0} 步"],
  solvedSteps: ["Solved. Single steps made: {0}", "完成！共走 {0} 个单格步"],
  solving: ["Searching …", "正在搜索……"],
  solutionOf: ["A shortest solution: {0} moves", "最短解：{0} 步"],
  solutionOfSteps: ["A shortest solution: {0} single steps", "最短解：{0} 个单格步"],
  unsolvable: ["This board has no solution.", "这个局面无解。"],
  notFound: ["No solution was found within the limits.", "在限制之内没有找到解。"],
  step: ["Move {0} of {1}", "第 {0} 步，共 {1} 步"],
  first: ["First", "开头"],
  previous: ["Back", "后退"],
  next: ["Forward", "前进"],
  playBack: ["Play", "播放"],
  pause: ["Pause", "暂停"],
  keysSlide: ["Arrow keys move the blank; tiles can be dragged. H shows the best moves.",
    "方向键移动空格，也可以拖动方块。按 H 显示最佳走法。"],
  keysSelect: ["Choose a block with Tab, a click or a drag; arrow keys move it. H shows the best move.",
    "用 Tab、点击或拖动选择滑块，用方向键移动。按 H 显示最佳走法。"],
  keysWalk: ["Arrow keys walk and push. H shows the best move.", "方向键行走和推箱。按 H 显示最佳走法。"],
  keysButtons: ["The buttons, or their digits, are the moves. H shows the best move.", "按钮或对应数字键就是走法。按 H 显示最佳走法。"],
  boardOf: ["Board of {0}: {1}", "{0} 的局面：{1}"],
  best: ["Best: {0}", "最佳：{0}"],
  none: ["none", "无"],
  depthLimit: ["Depth at most", "最大深度"],
  keep: ["Keep", "保留"],
  keepTable: ["a table of all distances", "全部距离的表"],
  keepLevels: ["the level counts only", "只要每层数量"],
  memoryLimit: ["Memory at most", "内存上限"],
  from: ["From board", "起始局面"],
  start: ["Start", "开始"],
  estimate: ["What would it take?", "需要多少资源？"],
  estimated: ["{0} states, {1} of memory, engine {2}", "{0} 个状态，内存 {1}，引擎 {2}"],
  readOnly: ["This page only shows what is there: jobs cannot be started.", "本页只供浏览：不能启动任务。"],
  state: ["State", "状态"],
  kind: ["Kind", "种类"],
  job: ["Job", "任务"],
  jobNumber: ["Job {0}", "任务 {0}"],
  submitted: ["Submitted", "提交时间"],
  result: ["Result", "结果"],
  actions: ["Actions", "操作"],
  cancel: ["Cancel", "取消"],
  forget: ["Forget", "删除"],
  forgetAsk: ["Forget job {0}, its results and its table?", "删除任务 {0} 及其结果和距离表？"],
  noJobs: ["No jobs yet.", "还没有任务。"],
  older: ["Older ones", "更早的"],
  queued: ["queued", "排队"],
  running: ["running", "运行"],
  done: ["done", "完成"],
  stopped: ["stopped", "停止"],
  failed: ["failed", "失败"],
  cancelled: ["cancelled", "已取消"],
  gone: ["There is no such job.", "没有这个任务。"],
  level: ["Level", "层"],
  levels: ["Levels", "各层"],
  states: ["States", "状态数"],
  rate: ["A second", "每秒"],
  memory: ["Memory", "内存"],
  disk: ["Disk", "磁盘"],
  seconds: ["Seconds", "秒"],
  depth: ["Depth", "深度"],
  engine: ["Engine", "引擎"],
  phase: ["Phase", "阶段"],
  complete: ["Complete", "完整"],
  yes: ["yes", "是"],
  no: ["no", "否"],
  chart: ["States at each level of {0}", "{0} 每层的状态数"],
  logScale: ["Logarithmic scale", "对数刻度"],
  asTable: ["The numbers", "数据表"],
  deepest: ["The farthest boards: {0} at {1} moves", "最远的局面：{0} 个，距离 {1} 步"],
  deepestBounded: ["Boards of the last level: {0} at {1} moves", "最后一层的局面：{0} 个，距离 {1} 步"],
  playThis: ["Play this board", "玩这个局面"],
  graphDraw: ["Draw", "绘制"],
  graphOf: ["{0} boards and {1} moves, in {2} levels from the start", "从起点起 {2} 层，共 {0} 个局面、{1} 个走法"],
  graphCut: ["There are more boards beyond this depth.", "这一深度之外还有更多局面。"],
  graphLarge: ["More than {0} boards: give a smaller depth.", "超过 {0} 个局面：请给出更小的深度。"],
  graphNode: ["Level {0}: {1}", "第 {0} 层：{1}"],
  unreachable: ["The daemon does not answer. This page tries again by itself.", "守护进程没有响应。本页会自动重试。"],
  back: ["The daemon answers again.", "守护进程已恢复。"],
  fill: ["Fill {0}", "装满 {0}"],
  empty: ["Empty {0}", "倒空 {0}"],
  pour: ["Pour {0} into {1}", "{0} 倒入 {1}"],
  solution: ["Solution", "解"],
  movesShort: ["{0} moves", "{0} 步"],
  statesShort: ["{0} states, depth {1}", "{0} 个状态，深度 {1}"],
};

const languages = ["en", "zh"];
const remembered = localStorage.getItem("language");
let language = languages.indexOf(remembered ?? navigator.language.slice(0, 2));
if (language < 0) language = 0;
document.documentElement.lang = languages[language];

/** The text of a key in the page's language. */
export function t(key, ...values) {
  return texts[key][language].replace(/\{(\d)\}/g, (_, number) => values[number]);
}

/** Returns true for a key that the table has. */
export const has = (key) => Object.hasOwn(texts, key);

export function otherLanguage() {
  language = 1 - language;
  localStorage.setItem("language", languages[language]);
  document.documentElement.lang = languages[language];
}

export const count = (number) => (typeof number === "number" ? number.toLocaleString(languages[language]) : String(number));

/** Bytes as people write them: 83 MB. */
export function bytes(number) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; number >= 1000 && unit < 4; unit++) number /= 1000;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`;
}

/** A rate as people write it: 1.3 G. */
export function short(number) {
  const units = ["", " k", " M", " G", " T"];
  let unit = 0;
  for (; number >= 1000 && unit < 4; unit++) number /= 1000;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)}${units[unit]}`;
}

export const time = (milliseconds) => new Date(milliseconds).toLocaleString(languages[language]);
