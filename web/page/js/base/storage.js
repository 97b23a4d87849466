// SPDX-License-Identifier: MIT
// What the browser keeps. Where it refuses, as it may to a page in a frame, the page itself remembers it while it is open.
const refused = new Map();

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return refused.get(name) ?? null;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    refused.set(name, value);
  }
}
