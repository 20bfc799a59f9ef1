/** Elements of the page, and its small windows: toast, dialog, menu. */

import { language, t } from "./state.js";

export const $ = (id) => document.getElementById(id);

/** An element with properties, attributes ("aria-..." and "data-..." too) and children. */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const button = (properties, ...children) => el("button", { type: "button", ...properties }, ...children);

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.append(document.createElementNS(svg.namespaceURI, "use"));
  svg.firstChild.setAttribute("href", `#i-${name}`);
  return svg;
}

export const face = (title, kind = "") =>
  el("span", { className: `face ${kind}`, ariaHidden: "true" }, [...title][0] || "?");

export const time = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });

export const day = (seconds) =>
  new Date(seconds * 1000).toLocaleDateString(language(), { day: "numeric", month: "long" });

let toastTimer;

/** Show a text for a moment. */
export function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").classList.remove("shown"), 2500 + 30 * text.length);
}

/** Show something until it is closed. */
export function say(...content) {
  $("dialog").firstElementChild.replaceChildren(...content);
  $("dialog").querySelector("form button").textContent = t("close");
  $("dialog").showModal();
}

/** Let the person choose one of the chats. */
export function pick(chats, then) {
  const choose = (chat) => {
    $("dialog").close();
    then(chat);
  };
  const choices = chats.map((chat) =>
    button({ className: "pick", onclick: () => choose(chat) }, face(chat.title, chat.type), chat.title),
  );
  say(el("b", {}, t("pick")), ...choices);
  $("dialog").querySelector("form button").textContent = t("cancel");
}

/** Open a menu beside a button. Entries are pairs of a label and what happens. */
export function openMenu(anchor, entries) {
  const menu = $("menu");
  const box = anchor.getBoundingClientRect();
  const low = box.top > innerHeight / 2;
  const choose = (then) => {
    menu.hidden = true;
    then();
  };
  menu.replaceChildren(
    ...entries.map(([label, then]) => button({ role: "menuitem", onclick: () => choose(then) }, label)),
  );
  menu.hidden = false;
  menu.style.right = `${innerWidth - box.right}px`;
  menu.style.top = low ? "auto" : `${box.bottom + 4}px`;
  menu.style.bottom = low ? `${innerHeight - box.top + 8}px` : "auto";
  menu.firstElementChild.focus();
}

document.addEventListener("pointerdown", ({ target }) => {
  if (!$("menu").contains(target)) $("menu").hidden = true;
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") $("menu").hidden = true;
});
