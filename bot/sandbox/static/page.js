/** The page: the list of chats, the open one, and what comes from the server. */

import { $, button, day, el, face, openMenu, pick, say, time, toast } from "./elements.js";
import { drawMessage, drawWelcome, findMessage, foldQuotes, summary } from "./messages.js";
import { act, botChat, connect, language, newTag, nextLanguage, state, t } from "./state.js";
import { TEXTS } from "./texts.js";
import { dropContext, edit, noteQuery, replyTo, showResults, write } from "./writing.js";

const THEMES = ["auto", "light", "dark"];
const QUERY_LIFETIME = 15000; // milliseconds after which no answer to a press is waited for
const NEAR_END = 120; // pixels above the newest message within which the chat follows it

// What the server tells.

const EVENTS = {
  state(content) {
    state.me = content.me;
    state.bot = content.bot;
    state.votes = content.votes;
    for (const chat of content.chats) {
      const messages = new Map(chat.messages.map((message) => [message.message_id, message]));
      state.chats.set(chat.id, { draft: "", unread: 0, ...state.chats.get(chat.id), ...chat, messages });
    }
    const isLink = state.startParameter !== null;
    const first = isLink || matchMedia("(min-width: 721px)").matches ? botChat() : null;
    state.current = state.chats.get(state.current?.id) || first;
    if (isLink) document.body.classList.add("open");
    showTexts();
    showChats();
    showChat();
  },
  message(message) {
    const chat = state.chats.get(message.chat_id);
    const mine = message.from.id === state.me.id;
    chat.messages.set(message.message_id, message);
    if (chat === state.current) {
      const follow = nearEnd() || mine;
      if (chat.messages.size === 1) showChat();
      else addMessage(message, true);
      if (follow) toEnd();
      showComposer();
    } else if (!mine) chat.unread += 1;
    showChats();
  },
  edited(message) {
    state.chats.get(message.chat_id).messages.set(message.message_id, message);
    redraw(message.chat_id, message.message_id, true);
    showChats();
  },
  votes(votes) {
    state.votes = votes;
    for (const message of state.current.messages.values())
      if (message.poll) redraw(state.current.id, message.message_id, false);
  },
  pressed({ tag, query_id }) {
    waiting.set(query_id, waiting.get(tag));
    waiting.delete(tag);
  },
  answer({ query_id, text, show_alert }) {
    waiting.get(query_id)?.classList.remove("waiting");
    waiting.delete(query_id);
    if (text) (show_alert ? say : toast)(text);
  },
  typed: noteQuery,
  results: (content) => showResults(content, startBot),
};

// The list of chats, and the frame of one.

function showTexts() {
  document.documentElement.lang = language();
  document.title = `${state.bot.first_name} · ${t("product")}`;
  $("product").textContent = t("product");
  $("notice").textContent = t("notice");
  $("language").textContent = TEXTS[nextLanguage()].name;
  $("language").ariaLabel = $("language").title = t("language")(TEXTS[nextLanguage()].name);
  for (const id of ["send", "back", "more", "attach", "commands", "down"]) $(id).ariaLabel = $(id).title = t(id);
  $("chats").ariaLabel = t("chats");
  $("messages").ariaLabel = t("message");
  showTheme();
}

const theme = () => localStorage.getItem("theme") || "auto";

function showTheme() {
  document.documentElement.dataset.theme = theme();
  $("theme").ariaLabel = $("theme").title = t("theme")[theme()];
}

function showChats() {
  $("chats").replaceChildren(...[...state.chats.values()].map(drawChat));
}

function drawChat(chat) {
  const last = [...chat.messages.values()].at(-1);
  const node = button(
    { onclick: () => openChat(chat) },
    face(chat.title, chat.type),
    el("b", {}, chat.title),
    el("time", {}, last ? time(last.date) : ""),
    el("p", {}, last ? summary(last) : t("empty")),
    chat.unread ? el("span", { className: "unread" }, String(chat.unread)) : null,
  );
  if (chat === state.current) node.setAttribute("aria-current", "true");
  return node;
}

function openChat(chat, draft) {
  if (state.current) state.current.draft = $("text").value;
  state.current = chat;
  chat.unread = 0;
  dropContext();
  document.body.classList.add("open");
  showChats();
  showChat();
  write(draft ?? chat.draft);
  if (matchMedia("(hover: hover)").matches || draft !== undefined) $("text").focus();
}

function showChat() {
  const chat = state.current;
  document.querySelector("main").hidden = !chat;
  if (!chat) return;
  $("face").replaceWith(Object.assign(face(chat.title, chat.type), { id: "face" }));
  $("title").textContent = chat.title;
  showStatus("");
  $("more").hidden = chat.type !== "private" || state.me.blocked;
  $("messages").replaceChildren();
  if (chat.type === "private" && !chat.messages.size) $("messages").append(drawWelcome(chat.title));
  for (const message of chat.messages.values()) addMessage(message, false);
  showComposer();
  toEnd();
}

function showComposer() {
  const { type, messages, commands } = state.current;
  const start = type === "private" && (state.me.blocked || !messages.size || state.startParameter !== null);
  const hints = {
    private: t("message"),
    friends: t("messageFriend")(state.bot.username),
    supergroup: t("messageGroup")(state.bot.username),
  };
  $("composer").hidden = start;
  $("start").hidden = !start;
  $("start").textContent = state.me.blocked ? t("restart") : t("start");
  $("commands").hidden = !commands.length;
  $("text").placeholder = $("text").ariaLabel = hints[type];
}

function showStatus(text) {
  if (!state.current) return;
  const usual = { private: t("bot"), friends: t("friends"), supergroup: t("members")(state.current.members) };
  $("subtitle").textContent = text || usual[state.current.type];
  $("subtitle").classList.toggle("busy", Boolean(text));
}

// The messages of the open chat.

const nearEnd = () => $("messages").scrollHeight - $("messages").scrollTop - $("messages").clientHeight < NEAR_END;

function toEnd() {
  $("messages").scrollTop = $("messages").scrollHeight;
}

function addMessage(message, isNew) {
  const before = [...state.current.messages.values()].filter((other) => other.message_id < message.message_id).at(-1);
  if (!before || day(before.date) !== day(message.date))
    $("messages").append(el("div", { className: "day" }, day(message.date)));
  const node = drawMessage(message, before, ON);
  if (isNew) node.classList.add("new");
  if (isNew && message.force_reply) replyTo(message);
  $("messages").append(node);
  foldQuotes(node);
}

/** Draw a message anew; the focus stays on the button where it is. */
function redraw(chatId, messageId, changed) {
  const old = state.current?.id === chatId && findMessage(messageId);
  if (!old) return;
  const messages = [...state.current.messages.values()];
  const place = messages.findIndex((other) => other.message_id === messageId);
  const focused = [...old.querySelectorAll("button")].indexOf(document.activeElement);
  const follow = nearEnd();
  const node = drawMessage(messages[place], messages[place - 1], ON);
  const buttons = [...node.querySelectorAll("button")];
  if (changed) node.classList.add("changed");
  old.replaceWith(node);
  foldQuotes(node);
  if (focused >= 0) (buttons[focused] || buttons.at(-1))?.focus();
  if (follow) toEnd();
}

// What the parts of a message do.

const ON = { press, follow, openBot: () => openChat(botChat()), reply: replyTo, edit };
const waiting = new Map(); // pressed buttons by tag, then by query

function press(message, key, node) {
  if ("callback_data" in key) pressForBot(message, key, node);
  else if (key.url) follow(key.url);
  else if (key.copy_text) copy(key.copy_text.text);
  else if ("switch_inline_query_current_chat" in key)
    openChat(state.current, `@${state.bot.username} ${key.switch_inline_query_current_chat}`);
  else share(key);
}

function pressForBot(message, key, node) {
  const tag = newTag();
  waiting.set(tag, node);
  node.classList.add("waiting");
  setTimeout(() => node.classList.remove("waiting"), QUERY_LIFETIME);
  act("press", { chat: state.current.id, message_id: message.message_id, data: key.callback_data, tag });
}

function copy(text) {
  navigator.clipboard.writeText(text).then(
    () => toast(t("copied")),
    () => say(text),
  );
}

/** Choose a chat, and begin an inline query in it. */
function share(key) {
  const everywhere = { allow_user_chats: true, allow_bot_chats: true, allow_group_chats: true };
  const chosen = key.switch_inline_query_chosen_chat || { query: key.switch_inline_query, ...everywhere };
  const allowed = {
    private: chosen.allow_bot_chats,
    friends: chosen.allow_user_chats,
    supergroup: chosen.allow_group_chats,
  };
  const chats = [...state.chats.values()].filter((chat) => allowed[chat.type]);
  pick(chats, (chat) => openChat(chat, `@${state.bot.username} ${chosen.query || ""}`));
}

/** Follow a link; one that starts the bot stays on this page. */
function follow(href, event) {
  if (!URL.canParse(href)) return;
  const url = new URL(href);
  const name = url.pathname.slice(1).toLowerCase();
  if (["t.me", "telegram.me"].includes(url.hostname) && name === state.bot.username.toLowerCase()) {
    event?.preventDefault();
    // In the bot's own chat its link needs no second press.
    const atOnce = event && state.current === botChat();
    startBot(url.searchParams.get("start") || null);
    if (atOnce && state.startParameter) $("start").click();
  } else if (!["http:", "https:"].includes(url.protocol)) event?.preventDefault();
  else if (!event) window.open(href, "_blank", "noopener,noreferrer");
}

/** Open the bot's chat, where START sends the parameter. */
function startBot(parameter) {
  state.startParameter = parameter;
  openChat(botChat());
}

// A picture takes its room when it has come.
$("messages").addEventListener(
  "load",
  ({ target }) => {
    if (target.closest(".message") === $("messages").lastElementChild) toEnd();
  },
  true,
);
$("messages").onscroll = () => {
  $("down").hidden = nearEnd();
};
$("down").onclick = toEnd;
$("back").onclick = () => document.body.classList.remove("open");
$("language").onclick = () => act("language", { code: nextLanguage() });
$("theme").onclick = () => {
  localStorage.setItem("theme", THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
  showTheme();
};
$("attach").onclick = () => {
  const kinds = ["sticker", "photo", "voice", "document"];
  openMenu(
    $("attach"),
    kinds.map((kind) => [t(kind), () => act("media", { chat: state.current.id, kind })]),
  );
};
$("more").onclick = () => openMenu($("more"), [[t("stop"), () => act("block", { blocked: true })]]);
$("start").onclick = () => {
  if (state.me.blocked) act("block", { blocked: false });
  act("send", {
    chat: state.current.id,
    text: state.startParameter ? `/start ${state.startParameter}` : "/start",
  });
  state.startParameter = null;
  history.replaceState(null, "", location.pathname);
};
connect(EVENTS, () => showStatus(t("connecting")));
