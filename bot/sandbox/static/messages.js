/** How a message looks. What its parts do comes in as `on`: press, follow, openBot, reply, edit. */

import { button, el, face, icon, time } from "./elements.js";
import { act, state, t } from "./state.js";

const SAME_SENDER = 300; // seconds within which messages of one sender stand together
const KINDS = ["sticker", "photo", "voice", "document", "poll"];
const TAGS = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};
const ICONS = {
  url: "link",
  copy_text: "copy",
  switch_inline_query: "share",
  switch_inline_query_chosen_chat: "share",
  switch_inline_query_current_chat: "share",
};

const isMine = (message) => message.from.id === state.me.id;

/** A message in one line. */
export function summary(message) {
  const kind = KINDS.find((name) => message[name]);
  const text = message.text || message.caption || message.poll?.question || "";
  const parts = [isMine(message) ? `${t("you")}:` : "", kind ? t(kind) : "", text];
  return parts.filter(Boolean).join(" ").replace(/\s+/g, " ").slice(0, 90);
}

/** What the chat shows before its first message. */
export const drawWelcome = (title) =>
  el("div", { className: "welcome" }, face(title), el("h3", {}, title), el("p", {}, state.bot.description || ""));

/** A message with its buttons. `before`: the message above it, if there is one. */
export function drawMessage(message, before, on) {
  const mine = isMine(message);
  const same = before && before.from.id === message.from.id && message.date - before.date < SAME_SENDER;
  const edited = message.edit_date && !message.via_bot && !message.reply_markup ? `${t("edited")} ` : "";
  const bubble = el("div", { className: "bubble" }, ...drawHead(message, same), ...drawContent(message, on));
  bubble.append(el("span", { className: "meta" }, `${edited}${time(message.date)}`));
  const className = `message ${mine ? "mine" : ""} ${same ? "same" : ""}`;
  const node = el("div", { className, "data-message": message.message_id }, bubble);
  if (message.reply_markup) node.append(drawKeyboard(message, on));
  node.append(drawTools(message, on));
  return node;
}

/** Fold the long quotes of a message that stands on the page by now; short ones need no click. */
export function foldQuotes(node) {
  for (const quote of node.querySelectorAll("blockquote.folded"))
    if (quote.scrollHeight <= quote.clientHeight + 2) quote.classList.remove("folded", "expandable");
}

export const findMessage = (messageId) => document.querySelector(`[data-message="${messageId}"]`);

function drawHead(message, same) {
  const head = [];
  const replied = message.reply_to_message;
  if (!isMine(message) && !same && state.current.type === "supergroup")
    head.push(el("div", { className: "name" }, message.from.first_name));
  if (message.via_bot) head.push(el("div", { className: "via" }, `${t("via")} @${message.via_bot.username}`));
  if (replied) head.push(drawQuoted(replied));
  return head;
}

function drawQuoted(message) {
  const show = () => findMessage(message.message_id)?.scrollIntoView({ block: "center", behavior: "smooth" });
  const name = el("span", { className: "name" }, message.from.first_name);
  return button({ className: "quoted", onclick: show }, name, el("span", {}, summary(message)));
}

function drawContent(message, on) {
  const content = [];
  if (message.photo) content.push(drawPhoto(message));
  if (message.document) content.push(drawDocument(message.document));
  if (message.sticker) content.push(el("div", { className: "sticker" }, message.sticker.emoji));
  if (message.voice) content.push(el("div", {}, "🎤 ▮▯▮▮▯▮▯▯▮▮▯▮ 0:03"));
  if (message.poll) content.push(drawPoll(message.poll, on));
  const text = message.text ?? message.caption;
  const entities = message.entities || message.caption_entities || [];
  if (text) content.push(el("span", { className: "text" }, ...drawText(text, entities, on)));
  return content;
}

function drawPhoto(message) {
  const { file_id, width, height } = message.photo.at(-1);
  const onerror = ({ target }) => target.replaceWith("🖼 ", t("photo"));
  const alt = message.caption || t("photo");
  return el("img", { className: "photo", alt, src: `/media/${file_id}`, width, height, onerror });
}

function drawDocument({ file_id, file_name, file_size }) {
  const size = el("small", {}, `${(file_size / 1024).toFixed(1)} KB`);
  const link = { className: "file", href: `/media/${file_id}`, download: file_name };
  return el("a", link, el("span", { className: "face" }, icon("file")), el("span", {}, file_name, size));
}

/** Text with entities as nodes. Offsets are UTF-16 units, as in JavaScript's own strings. */
function drawText(text, entities, on, from = 0, to = text.length) {
  const nodes = [];
  let place = from;
  while (entities.length) {
    const [entity, ...rest] = entities;
    const end = entity.offset + entity.length;
    const within = rest.filter((other) => other.offset < end);
    const children = drawText(text, within, on, entity.offset, end);
    nodes.push(text.slice(place, entity.offset), drawEntity(entity, text.slice(entity.offset, end), children, on));
    entities = rest.filter((other) => other.offset >= end);
    // A quote ends its line itself.
    place = entity.type.endsWith("blockquote") && text[end] === "\n" ? end + 1 : end;
  }
  return [...nodes, text.slice(place, to)];
}

function drawEntity(entity, text, children, on) {
  const isBot = text.toLowerCase() === `@${state.bot.username.toLowerCase()}`;
  switch (entity.type) {
    case "expandable_blockquote":
      return drawClosed("blockquote", { className: "expandable folded", tabIndex: 0 }, unfold, children);
    case "spoiler":
      return drawClosed("span", { className: "spoiler", tabIndex: 0 }, (classes) => classes.add("shown"), children);
    case "text_link":
    case "url":
      return drawLink(entity.url || text, children, on);
    case "bot_command":
      return button({ className: "link", onclick: () => act("send", { chat: state.current.id, text }) }, ...children);
    case "mention":
      return isBot ? button({ className: "link", onclick: on.openBot }, ...children) : el("span", {}, ...children);
    default:
      return el(TAGS[entity.type] || "span", {}, ...children);
  }
}

const unfold = (classes) => classes.contains("expandable") && classes.toggle("folded");

/** What a click, or Enter, opens by a change of its classes. */
function drawClosed(tag, properties, open, children) {
  const onclick = ({ currentTarget }) => open(currentTarget.classList);
  const onkeydown = (event) => event.key === "Enter" && event.target === event.currentTarget && onclick(event);
  return el(tag, { ...properties, onclick, onkeydown }, ...children);
}

function drawLink(href, children, on) {
  const onclick = (event) => on.follow(href, event);
  return el("a", { href, target: "_blank", rel: "noopener noreferrer", onclick }, ...children);
}

function drawKeyboard(message, on) {
  const drawButton = (key) => {
    const node = button({ title: key.text, onclick: () => on.press(message, key, node) }, key.text);
    const kind = Object.keys(ICONS).find((name) => name in key);
    if (kind) node.append(icon(ICONS[kind]));
    return node;
  };
  const rows = message.reply_markup.inline_keyboard.map((row) => el("div", {}, ...row.map(drawButton)));
  return el("div", { className: "keys" }, ...rows);
}

function drawPoll(poll, on) {
  const done = poll.id in state.votes;
  const kind = poll.is_anonymous ? `${t("poll")} · ${t("anonymous")}` : t("poll");
  const options = poll.options.map((option, number) => drawOption(poll, option, number, done));
  const hint = drawText(poll.explanation || "", poll.explanation_entities || [], on);
  return el(
    "div",
    { className: "poll" },
    el("h3", {}, poll.question),
    el("p", {}, kind),
    ...options,
    done && poll.explanation ? el("blockquote", {}, ...hint) : null,
    el("p", {}, t("votes")(poll.total_voter_count)),
  );
}

/** An option of a quiz. Once the person has answered, it shows its share, or whether it is right or wrongly chosen. */
function drawOption(poll, option, number, done) {
  const share = poll.total_voter_count ? Math.round((100 * option.voter_count) / poll.total_voter_count) : 0;
  const isRight = poll.correct_option_ids.includes(number);
  const isChosen = done && state.votes[poll.id].includes(number);
  const verdict = !done ? "" : isRight ? "right" : isChosen ? "wrong" : "";
  const mark = { right: "✓", wrong: "✗" }[verdict] || (done ? `${share}%` : "");
  return button(
    {
      disabled: done,
      className: `option ${verdict}`,
      ariaLabel: verdict ? `${option.text}, ${t(verdict)}` : option.text,
      onclick: () => act("vote", { poll_id: poll.id, options: [number] }),
    },
    el("i", {}, mark),
    el("span", {}, option.text),
    done ? el("progress", { max: 100, value: share, ariaHidden: "true" }) : null,
  );
}

function drawTools(message, on) {
  const tool = (name, then) =>
    button({ className: "icon", title: t(name), ariaLabel: t(name), onclick: then }, icon(name));
  const tools = el(
    "div",
    { className: "tools" },
    tool("reply", () => on.reply(message)),
  );
  if (isMine(message) && message.text && !message.via_bot) tools.append(tool("edit", () => on.edit(message)));
  return tools;
}
