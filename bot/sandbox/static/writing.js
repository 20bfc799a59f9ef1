/** What the person writes: the text field, commands, and inline mode. */

import { $, button, el, face } from "./elements.js";
import { summary } from "./messages.js";
import { act, newTag, state, t } from "./state.js";

const TYPING_PAUSE = 250; // milliseconds without a key after which the bot is asked for inline results
const NEAR_END = 200; // pixels above the end of the results at which more are asked for

let context = null; // {reply_to} or {edit}: the message that the next one answers or replaces
let inline = null; // {chat, text, tag, next, fresh, query}: the inline query whose results are shown

function setContext(value, label = "") {
  if (context?.edit && !value) $("text").value = "";
  context = value;
  $("context").hidden = !value;
  $("context").firstElementChild.textContent = value ? `${t(value.edit ? "edit" : "reply")}: ${label}` : "";
  $("context").lastElementChild.ariaLabel = t("cancel");
  if (value) $("text").focus();
}

export const dropContext = () => setContext(null);

export const replyTo = (message) => setContext({ reply_to: message.message_id }, summary(message));

export function edit(message) {
  setContext({ edit: message.message_id }, message.text);
  write(message.text);
}

/** Put a text into the field. */
export function write(text) {
  $("text").value = text;
  typed();
}

function submit(event) {
  event.preventDefault();
  const text = $("text").value.trim();
  const chat = state.current.id;
  if (!text) return;
  if (context?.edit) act("edit", { chat, message_id: context.edit, text });
  else act("send", { chat, text, ...context });
  dropContext();
  write("");
}

let typingTimer;

/** Offer what fits the text in the field: inline results after the bot's name, commands after a slash. */
function typed() {
  const field = $("text");
  const name = `@${state.bot.username} `;
  field.style.height = "auto";
  if (field.scrollHeight) field.style.height = `${field.scrollHeight}px`;
  clearTimeout(typingTimer);
  if (field.value.toLowerCase().startsWith(name.toLowerCase())) {
    const text = field.value.slice(name.length);
    if (inline?.text === text && inline.chat === state.current.id) return;
    typingTimer = setTimeout(() => ask(text, ""), inline ? TYPING_PAUSE : 0);
    return;
  }
  inline = null;
  const word = /^\/(\w*)$/.exec(field.value);
  showCommands(word ? state.current.commands.filter((known) => known.command.startsWith(word[1])) : []);
}

function ask(text, offset) {
  const chat = state.current.id;
  const tag = newTag();
  inline = { chat, text, tag, next: "", fresh: !offset };
  act("type", { chat, text, offset, tag });
}

/** The server says which query has this tag. */
export function noteQuery({ tag, query_id }) {
  if (inline?.tag === tag) inline.query = query_id;
}

/** Show the bot's answer to an inline query, if it is still the one that the person waits for. */
export function showResults({ results, next_offset, button: top, query_id }, startBot) {
  if (inline?.query !== query_id) return;
  const cards = results.map((card) =>
    suggestion(card.title || "", card.description || "", picture(card), () =>
      act("choose", { chat: state.current.id, query_id, result_id: card.id }),
    ),
  );
  const box = $("suggestions");
  if (inline.fresh) {
    if (top) cards.unshift(drawTop(top, startBot));
    box.replaceChildren(...(cards.length ? cards : [el("p", {}, t("nothing"))]));
    box.scrollTop = 0;
  } else box.append(...cards);
  box.hidden = false;
  inline.next = next_offset;
  if (box.scrollHeight <= box.clientHeight) loadMore(); // otherwise scrolling does
}

/** What stands before a card: the picture that it sends, or the first letter of its title. */
function picture({ title, photo_file_id }) {
  return photo_file_id ? el("img", { className: "face", alt: "", src: `/media/${photo_file_id}` }) : face(title);
}

function drawTop({ text, start_parameter }, startBot) {
  const open = () => {
    $("text").value = "";
    startBot(start_parameter);
  };
  return button({ className: "top", onclick: open }, text);
}

function loadMore() {
  const box = $("suggestions");
  const below = box.scrollHeight - box.scrollTop - box.clientHeight;
  if (inline?.next && !box.hidden && below < NEAR_END) ask(inline.text, inline.next);
}

function showCommands(commands) {
  const to = state.current.type === "supergroup" ? `@${state.bot.username}` : "";
  $("suggestions").hidden = !commands.length;
  $("suggestions").replaceChildren(
    ...commands.map(({ command, description }) =>
      suggestion(`/${command}`, description, null, () =>
        act("send", { chat: state.current.id, text: `/${command}${to}` }),
      ),
    ),
  );
}

function suggestion(title, description, picture, then) {
  const choose = () => {
    then();
    write("");
    $("text").focus();
  };
  const text = el("div", {}, el("b", {}, title), el("small", {}, description));
  return button({ onclick: choose }, picture, text);
}

/** Arrows walk through the suggestions; Escape goes back to the text. */
function walk(event) {
  const all = [...$("suggestions").querySelectorAll("button")];
  const here = all.indexOf(document.activeElement);
  if ($("suggestions").hidden || !all.length) return;
  if (event.key === "ArrowDown") (all[here + 1] || all[0]).focus();
  else if (event.key === "ArrowUp") (here === 0 ? $("text") : all.at(here < 0 ? -1 : here - 1)).focus();
  else if (event.key === "Escape") {
    $("suggestions").hidden = true;
    $("text").focus();
  } else return;
  event.preventDefault();
}

$("composer").onsubmit = submit;
$("text").oninput = typed;
$("text").onkeydown = (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
  else if (event.key === "Escape" && context) dropContext();
};
document.querySelector("footer").addEventListener("keydown", walk);
$("suggestions").onscroll = loadMore;
$("context").lastElementChild.onclick = dropContext;
$("commands").onclick = () => {
  showCommands($("suggestions").hidden ? state.current.commands : []);
  $("suggestions").querySelector("button")?.focus();
};
