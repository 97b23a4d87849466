// SPDX-License-Identifier: MIT
// The texts of the page itself: English, Chinese.
export const page = {
  skip: ["To the content", "跳到内容"],
  language: ["中文", "English"],
  play: ["Play", "游玩"],
  explore: ["Explore", "探索"],
  jobs: ["Jobs", "任务"],
  graph: ["Graph", "局面图"],
  more: ["More", "更多"],
  navigation: ["Views", "视图"],
  puzzle: ["Puzzle", "谜题"],
  puzzleHint: ["3x3, klotski:横刀立马, jugs:3,5, …", "3x3、华容道:横刀立马、倒水:3,5……"],
  board: ["Board", "局面"],
  open: ["Open", "打开"],
  none: ["none", "无"],
  readOnly: ["This page only shows what is there: jobs cannot be started.", "本页只供浏览：不能启动任务。"],
  yes: ["yes", "是"],
  no: ["no", "否"],
  unreachable: ["The daemon does not answer. This page tries again by itself.", "守护进程没有响应。本页会自动重试。"],
};
