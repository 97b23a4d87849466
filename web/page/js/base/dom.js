// SPDX-License-Identifier: MIT
// Elements from names, attributes and children. Text is always text: nothing is ever parsed as HTML.

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element; attributes beginning with "on" are listeners. */
export function el(name, attributes = {}, ...children) {
  return make(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return make(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** A labelled control: the label's text stands before it. */
export function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/**
 * Replaces the children of a list of buttons. The keyboard's focus stays at its place: on the new button there, or else on another
 * element; from there it comes back to a list that was empty meanwhile.
 */
export function renew(list, children, other) {
  const left = document.activeElement === other ? Number(list.dataset.left ?? -1) : -1;
  const at = Math.max(left, [...list.children].findIndex((child) => child.contains(document.activeElement)));
  list.replaceChildren(...children);
  if (at >= 0 && children.length === 0) list.dataset.left = at;
  else delete list.dataset.left;
  const next = children[at]?.querySelector("button") ?? children[at] ?? other;
  if (at >= 0) next.focus({ preventScroll: true });
}

/** The way that a piece goes, as a sign. */
export const arrows = { U: "↑", D: "↓", L: "←", R: "→" };

/** A button of type button. */
export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}
