// SPDX-License-Identifier: MIT
// A board taken along: its address, or its picture as a file.

const SIDE = 800; // pixels of the longer side

// What a picture outside of this page needs of its styles.
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "fill-opacity", "stroke-opacity",
  "dominant-baseline", "transform", "display", "rx"];

function withStyles(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [picture, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) to[i].style.setProperty(name, style.getPropertyValue(name));
  });
  copy.querySelector(".marks")?.remove();
  copy.style.background = getComputedStyle(picture).backgroundColor;
  return copy;
}

function load(url) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
    image.src = url;
  });
}

function save(href, name, ending) {
  const link = document.createElement("a");
  link.href = href;
  link.download = `${name.replace(/[^\p{Letter}\d]+/gu, "-").slice(0, 60)}.${ending}`;
  link.click();
}

/**
 * Copies the address of the page, of the whole one where it stands in a frame. Browsers keep the clipboard from frames, and from
 * pages that come by plain HTTP from another machine: there a field is copied.
 */
export async function copyAddress() {
  const address = new URL(location.href);
  address.searchParams.delete("embed");
  if (await navigator.clipboard?.writeText(address.href).then(() => true, () => false)) return;
  const from = document.activeElement;
  const field = document.createElement("textarea");
  field.value = address.href;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  from?.focus({ preventScroll: true });
  if (!copied) throw new Error(address.href);
}

/** Saves a text as a file. */
export function saveText(text, name, ending = "txt", type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  save(url, name, ending);
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  return text.length;
}

/** The picture of a board as SVG that needs no other file, and its size in pixels. */
function drawn(picture) {
  const copy = withStyles(picture);
  const { width, height } = picture.viewBox.baseVal;
  const scale = SIDE / Math.max(width, height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, String(value));
  return { ...size, ground: copy.style.background, text: new XMLSerializer().serializeToString(copy) };
}

/** Saves the picture of a board as an SVG file. */
export const saveDrawing = (picture, name) => saveText(drawn(picture).text, name, "svg", "image/svg+xml");

/** Saves the picture of a board as a PNG file. */
export async function savePicture(picture, name) {
  const { width, height, ground, text } = drawn(picture);
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    context.drawImage(await load(url), 0, 0);
    const href = canvas.toDataURL("image/png");
    save(href, name, "png");
    return href.length;
  } finally {
    URL.revokeObjectURL(url);
  }
}
