// Where a player comes from: live, a model in Python; on a page, what is stored there.

import { Board } from "./board.js";
import { make } from "./dom.js";
import { Player } from "./player.js";

/** What is long travels deflated, as base64. */
async function unpacked(data) {
  if (!data.deflated) return data;
  const bytes = Uint8Array.from(atob(data.deflated), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Live: the model holds the data and what is shown, and every view of it shows the same. */
async function render({ model, el }) {
  const root = make("div", { class: "minigrad-player" });
  el.append(root);
  const data = await unpacked(model.get("data"));
  const ask = asking(model);
  const [shown, follow] = data.screens ? liveBoard(root, data, model, ask.request)
    : livePlayer(root, data, model, ask.request);
  const lost = () => {
    ask.end();
    shown.lost();
  };
  await follow();
  for (const trait of ["step", "detail", "key"]) model.on(`change:${trait}`, follow);
  model.on("comm:close", lost);
  model.on("comm_live_update", lost);
  return () => shown.stop?.();
}

function livePlayer(root, data, model, request) {
  const player = new Player(root, data, ({ step, detail }) => {
    model.set("detail", detail);
    model.set("step", step);
    model.save_changes();
  }, request);
  const follow = async () => {
    await player.changeDetail(model.get("detail"), false);
    if (player.step !== model.get("step")) player.go(model.get("step"));
  };
  return [player, follow];
}

function liveBoard(root, data, model, request) {
  root.classList.add("minigrad-board");
  const board = new Board(root, data, (key) => {
    model.set("key", key);
    model.save_changes();
  }, request);
  return [board, () => board.go(model.get("key"), false)];
}

/** Questions to Python, `{ scene: "m3" }`, and its answers by number; null where nobody is left. */
function asking(model) {
  const open = new Map();
  let number = 0;
  let over = false;
  model.on("msg:custom", ({ number, answer }) => {
    open.get(number)?.(answer);
    open.delete(number);
  });
  const request = (what) => over ? Promise.resolve(null) : new Promise((resolve) => {
    number += 1;
    open.set(number, resolve);
    model.send({ number, ...what });
  });
  const end = () => {
    over = true;
    for (const resolve of open.values()) resolve(null);
    open.clear();
  };
  return { request, end };
}

/** Without a kernel: let an element of the page play, with the data and the picture in it. */
async function start(root) {
  if (root.hasAttribute("data-playing")) return;
  root.setAttribute("data-playing", "");
  const stored = root.querySelector("script[type='application/json']");
  const data = await unpacked(JSON.parse(stored.textContent));
  if (data.screens) {
    new Board(root, data);
    return;
  }
  if (data.scenes[""] === "image") {
    const picture = root.querySelector("img").src.split(",")[1];
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    data.scenes[""] = new TextDecoder().decode(bytes);
  }
  new Player(root, data);
}

/** Start every element that waits for this version of the code, and those that come later. */
export async function serve(version, style) {
  const { css } = await unpacked(style);
  document.head.append(make("style", {}, css));
  const waiting = (window.minigradPlayers ??= {});
  const here = waiting[version] ?? [];
  if (!Array.isArray(here)) return;
  waiting[version] = { push: start };
  here.forEach(start);
}

export default { render };
