// SPDX-License-Identifier: MIT
// A board taken along: its address, or its picture as a file.

const SIDE = 800; // pixels of the longer side

// What a picture outside of this page needs of its styles.
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor",
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

/** Saves the picture of a board as a PNG file. */
export async function savePicture(picture, name) {
  const { width, height } = picture.viewBox.baseVal;
  const scale = SIDE / Math.max(width, height);
  const copy = withStyles(picture);
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  try {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const context = canvas.getContext("2d");
    context.fillStyle = copy.style.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(await load(url), 0, 0);
    const link = document.createElement("a");
    link.href = canvas.toDataURL("image/png");
    link.download = `${name.replace(/[^\p{Letter}\d]+/gu, "-").slice(0, 60)}.png`;
    link.click();
    return link.href.length;
  } finally {
    URL.revokeObjectURL(url);
  }
}
