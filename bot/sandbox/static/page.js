"use strict";

const TEXTS = {
  en: {
    product: "Local chat", notice: "For trying and testing only. This is not Telegram: all of it happens on this computer, in memory, and is gone when the program stops.",
    other: "Русский", language: "Switch the language to Russian", theme: ["Theme: as in the system", "Theme: light", "Theme: dark"],
    bot: "bot · local trial", friends: "friend · local trial, try inline mode here", members: (n) => `${n} members · the bot reads commands, replies and mentions`,
    connecting: "connecting…", message: "Message", messageGroup: (bot) => `Message, or @${bot} …`, messageFriend: (bot) => `@${bot} and what you mean`,
    send: "Send", back: "Back to chats", more: "More", attach: "Attach", commands: "Commands", start: "START", restart: "UNBLOCK", down: "To the newest message", cancel: "Cancel", close: "OK", chats: "Chats",
    stop: "Block the bot", sticker: "Sticker", photo: "Photo", voice: "Voice message", document: "Document", edited: "edited", via: "via", reply: "Reply", edit: "Edit", you: "You",
    copied: "Copied", pick: "Choose a chat", nothing: "Nothing found", quiz: "Quiz", poll: "Poll", anonymous: "anonymous", votes: (n) => `${n} ${n === 1 ? "vote" : "votes"}`, empty: "No messages yet", right: "right", wrong: "wrong",
  },
  ru: {
    product: "Локальный чат", notice: "Только чтобы попробовать и проверить. Это не Telegram: всё происходит на этом компьютере, в памяти, и исчезнет вместе с программой.",
    other: "English", language: "Переключить язык на английский", theme: ["Тема: как в системе", "Тема: светлая", "Тема: тёмная"],
    bot: "бот · локальная проба", friends: "друг · локальная проба, здесь удобен инлайн-режим", members: (n) => `Участников: ${n} · бот видит команды, ответы и упоминания`,
    connecting: "соединение…", message: "Сообщение", messageGroup: (bot) => `Сообщение или @${bot} …`, messageFriend: (bot) => `@${bot} и что вы хотите сказать`,
    send: "Отправить", back: "К списку чатов", more: "Ещё", attach: "Прикрепить", commands: "Команды", start: "НАЧАТЬ", restart: "РАЗБЛОКИРОВАТЬ", down: "К последнему сообщению", cancel: "Отмена", close: "Понятно", chats: "Чаты",
    stop: "Заблокировать бота", sticker: "Стикер", photo: "Фото", voice: "Голосовое сообщение", document: "Документ", edited: "изменено", via: "через", reply: "Ответить", edit: "Изменить", you: "Вы",
    copied: "Скопировано", pick: "Выберите чат", nothing: "Ничего не нашлось", quiz: "Викторина", poll: "Опрос", anonymous: "анонимно", votes: (n) => `Голосов: ${n}`, empty: "Сообщений пока нет", right: "верно", wrong: "неверно",
  },
};
const THEMES = ["auto", "light", "dark"];

const $ = (id) => document.getElementById(id);
const chats = new Map();
let me = null, bot = null, current = null, votes = {};
let startParameter = new URLSearchParams(location.search).get("start");
let context = null; // {reply_to} or {edit}: what the next message belongs to
let inline = null; // {text, tag, next, ids}: the inline query whose results are shown
let tags = 0;
const waiting = new Map(); // pressed buttons by tag, then by query

const language = () => ((me ? me.language_code : navigator.language) || "en").startsWith("ru") ? "ru" : "en";
const t = (name) => TEXTS[language()][name];

/** An element with properties, attributes ("aria-..." and "data-..." too) and children. */
function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.append(document.createElementNS(svg.namespaceURI, "use"));
  svg.firstChild.setAttribute("href", `#i-${name}`);
  return svg;
}

const face = (title, kind = "") => el("span", { className: `face ${kind}`, ariaHidden: "true" }, [...title][0] || "?");
const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
const day = (seconds) => new Date(seconds * 1000).toLocaleDateString(language(), { day: "numeric", month: "long" });

// The connection.

let socket;
function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
  socket.onmessage = ({ data }) => {
    const { event, content } = JSON.parse(data);
    (EVENTS[event] || (() => {}))(content);
  };
  socket.onclose = ({ code }) => {
    if (code === 4001) return location.reload();
    showStatus(t("connecting"));
    setTimeout(connect, 1000);
  };
}
const act = (wish, more) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ do: wish, ...more }));

const EVENTS = {
  state(content) {
    ({ me, bot, votes } = content);
    for (const chat of content.chats) {
      const messages = new Map(chat.messages.map((message) => [message.message_id, message]));
      chats.set(chat.id, { draft: "", unread: 0, ...chats.get(chat.id), ...chat, messages });
    }
    current = chats.get(current?.id) || (matchMedia("(min-width: 721px)").matches || startParameter !== null ? botChat() : null);
    if (startParameter !== null) document.body.classList.add("open");
    showTexts();
    showChats();
    showChat();
  },
  message(message) {
    const chat = chats.get(message.chat_id);
    chat.messages.set(message.message_id, message);
    if (chat === current) {
      const atEnd = nearEnd() || message.from.id === me.id;
      if (chat.messages.size === 1) showChat();
      else addMessage(message, true);
      if (atEnd) toEnd();
      showComposer();
    } else if (message.from.id !== me.id) chat.unread += 1;
    showChats();
  },
  edited(message) {
    chats.get(message.chat_id).messages.set(message.message_id, message);
    redraw(message.chat_id, message.message_id, true);
    showChats();
  },
  votes(content) {
    votes = content;
    for (const message of current.messages.values()) if (message.poll) redraw(current.id, message.message_id, false);
  },
  pressed({ tag, query_id }) {
    waiting.set(query_id, waiting.get(tag));
  },
  answer({ query_id, text, show_alert, url }) {
    waiting.get(query_id)?.classList.remove("waiting");
    waiting.delete(query_id);
    if (url) openLink(url);
    if (text && show_alert) say(text);
    else if (text) toast(text);
  },
  typed({ tag, query_id }) {
    if (inline?.tag === tag) inline.query = query_id;
  },
  results(content) {
    if (inline?.query === content.query_id) showResults(content);
  },
};

// The list of chats, and the frame of one.

const botChat = () => [...chats.values()].find((chat) => chat.type === "private");

function showTexts() {
  document.documentElement.lang = language();
  document.title = `${bot.first_name} · ${t("product")}`;
  $("product").textContent = t("product");
  $("notice").textContent = t("notice");
  $("language").textContent = t("other");
  $("start").textContent = me.blocked ? t("restart") : t("start");
  for (const id of ["language", "send", "back", "more", "attach", "commands", "down"]) $(id).ariaLabel = $(id).title = t(id);
  $("chats").ariaLabel = t("chats");
  $("messages").ariaLabel = t("message");
  showTheme();
}

function showTheme() {
  const theme = localStorage.getItem("theme") || "auto";
  document.documentElement.dataset.theme = theme;
  $("theme").ariaLabel = $("theme").title = t("theme")[THEMES.indexOf(theme)];
}

function showChats() {
  $("chats").replaceChildren(...[...chats.values()].map((chat) => {
    const last = [...chat.messages.values()].at(-1);
    const open = el("button", { type: "button", onclick: () => openChat(chat) }, face(chat.title, chat.type), el("b", {}, chat.title),
      el("time", {}, last ? time(last.date) : ""), el("p", {}, last ? summary(last) : t("empty")),
      chat.unread ? el("span", { className: "unread" }, String(chat.unread)) : null);
    if (chat === current) open.setAttribute("aria-current", "true");
    return open;
  }));
}

function summary(message) {
  const kind = ["sticker", "photo", "voice", "document", "poll"].find((name) => message[name]);
  const text = message.text || message.caption || message.poll?.question || "";
  return `${message.from.id === me.id ? `${t("you")}: ` : ""}${kind ? `${t(kind)} ` : ""}${text}`.replace(/\s+/g, " ").slice(0, 90);
}

function openChat(chat, draft) {
  if (current) current.draft = $("text").value;
  current = chat;
  chat.unread = 0;
  if (draft !== undefined) chat.draft = draft;
  setContext(null);
  document.body.classList.add("open");
  showChats();
  showChat();
  $("text").value = chat.draft;
  typed();
  if (matchMedia("(hover: hover)").matches || draft !== undefined) $("text").focus();
}

function showChat() {
  document.querySelector("main").hidden = !current;
  if (!current) return;
  $("face").replaceWith(Object.assign(face(current.title, current.type), { id: "face" }));
  $("title").textContent = current.title;
  showStatus("");
  $("more").hidden = current.type !== "private" || me.blocked;
  const fresh = current.type === "private" && !current.messages.size;
  $("messages").replaceChildren(...(fresh ? [el("div", { className: "welcome" }, face(current.title), el("h3", {}, current.title),
    el("p", {}, bot.description || ""))] : []));
  for (const message of current.messages.values()) addMessage(message, false);
  showComposer();
  toEnd();
}

function showComposer() {
  const start = current.type === "private" && (me.blocked || !current.messages.size || startParameter !== null);
  $("composer").hidden = start;
  $("start").hidden = !start;
  $("start").textContent = me.blocked ? t("restart") : t("start");
  $("commands").hidden = !current.commands.length;
  const hint = { private: t("message"), friends: t("messageFriend")(bot.username), supergroup: t("messageGroup")(bot.username) };
  $("text").placeholder = $("text").ariaLabel = hint[current.type];
}

function showStatus(text) {
  if (!current) return;
  const usual = { private: t("bot"), friends: t("friends"), supergroup: t("members")(current.members) };
  $("subtitle").textContent = text || usual[current.type];
  $("subtitle").classList.toggle("busy", Boolean(text));
}

const nearEnd = () => $("messages").scrollHeight - $("messages").scrollTop - $("messages").clientHeight < 120;
const toEnd = () => { $("messages").scrollTop = $("messages").scrollHeight; };

// Messages.

function addMessage(message, isNew) {
  const before = [...current.messages.values()].filter((other) => other.message_id < message.message_id).at(-1);
  if (!before || day(before.date) !== day(message.date)) $("messages").append(el("div", { className: "day" }, day(message.date)));
  const node = drawMessage(message, before);
  if (isNew) node.classList.add("new");
  $("messages").append(node);
}

function redraw(chatId, messageId, changed) {
  const old = current?.id === chatId && document.querySelector(`[data-message="${messageId}"]`);
  if (!old) return;
  const list = [...current.messages.values()], place = list.findIndex((other) => other.message_id === messageId);
  const focused = [...old.querySelectorAll("button")].indexOf(document.activeElement), atEnd = nearEnd();
  const node = drawMessage(list[place], list[place - 1]);
  if (changed) node.classList.add("changed");
  old.replaceWith(node);
  if (focused >= 0) node.querySelectorAll("button")[Math.min(focused, node.querySelectorAll("button").length - 1)]?.focus();
  if (atEnd) toEnd();
}

function drawMessage(message, before) {
  const mine = message.from.id === me.id;
  const same = before && before.from.id === message.from.id && message.date - before.date < 300;
  const bubble = el("div", { className: "bubble" }, ...drawHead(message, mine, same), ...drawContent(message));
  bubble.append(el("span", { className: "meta" }, `${message.edit_date && mine && !message.via_bot ? `${t("edited")} ` : ""}${time(message.date)}`));
  const node = el("div", { className: `message ${mine ? "mine" : ""} ${same ? "same" : ""}`, "data-message": message.message_id }, bubble);
  if (message.reply_markup) node.append(drawKeyboard(message));
  node.append(drawTools(message, mine));
  return node;
}

function drawHead(message, mine, same) {
  const head = [];
  if (!mine && !same && current.type === "supergroup") head.push(el("div", { className: "name" }, message.from.first_name));
  if (message.via_bot) head.push(el("div", { className: "via" }, `${t("via")} @${message.via_bot.username}`));
  const replied = message.reply_to_message;
  if (replied) head.push(el("button", { type: "button", className: "quoted", onclick: () =>
    document.querySelector(`[data-message="${replied.message_id}"]`)?.scrollIntoView({ block: "center", behavior: "smooth" }) },
  el("span", { className: "name" }, replied.from.first_name), el("span", {}, summary(replied))));
  return head;
}

function drawContent(message) {
  const content = [];
  if (message.photo) content.push(el("img", { className: "photo", alt: message.caption || t("photo"), src: `/media/${message.photo.at(-1).file_id}`,
    width: message.photo.at(-1).width, height: message.photo.at(-1).height, onerror: ({ target }) => target.replaceWith("🖼 ", t("photo")) }));
  if (message.document) content.push(el("a", { className: "file", href: `/media/${message.document.file_id}`, download: message.document.file_name },
    el("span", { className: "face" }, icon("file")), el("span", {}, message.document.file_name, el("small", {}, `${(message.document.file_size / 1024).toFixed(1)} KB`))));
  if (message.sticker) content.push(el("div", { className: "sticker" }, message.sticker.emoji));
  if (message.voice) content.push(el("div", {}, "🎤 ▮▯▮▮▯▮▯▯▮▮▯▮ 0:03"));
  if (message.poll) content.push(drawPoll(message.poll));
  const text = message.text ?? message.caption;
  if (text) content.push(el("span", { className: "text" }, ...drawText(text, message.entities || message.caption_entities || [])));
  return content;
}

/** Text with entities as nodes. Offsets are UTF-16 units, as in JavaScript's own strings. */
function drawText(text, entities, from = 0, to = text.length) {
  const nodes = [];
  let place = from;
  while (entities.length) {
    const [entity, ...rest] = entities, end = entity.offset + entity.length;
    const inner = rest.filter((other) => other.offset < end);
    nodes.push(text.slice(place, entity.offset), drawEntity(entity, text.slice(entity.offset, end), drawText(text, inner, entity.offset, end)));
    entities = rest.filter((other) => other.offset >= end);
    place = end;
  }
  return [...nodes, text.slice(place, to)];
}

const TAGS = { bold: "b", italic: "i", underline: "u", strikethrough: "s", code: "code", pre: "pre", blockquote: "blockquote" };
function drawEntity(entity, text, children) {
  const link = (href) => el("a", { href, target: "_blank", rel: "noopener noreferrer", onclick: (event) => openLink(href, event) }, ...children);
  if (entity.type in TAGS) return el(TAGS[entity.type], {}, ...children);
  if (entity.type === "expandable_blockquote") return el("blockquote", { className: "folded", onclick: ({ currentTarget }) => currentTarget.classList.toggle("folded") }, ...children);
  if (entity.type === "spoiler") return el("span", { className: "spoiler", tabIndex: 0, onclick: ({ currentTarget }) => currentTarget.classList.add("shown") }, ...children);
  if (entity.type === "text_link" || entity.type === "url") return link(entity.url || text);
  if (entity.type === "bot_command") return el("button", { type: "button", className: "link", onclick: () => act("send", { chat: current.id, text }) }, ...children);
  if (entity.type === "mention" && text.toLowerCase() === `@${bot.username.toLowerCase()}`)
    return el("button", { type: "button", className: "link", onclick: () => openChat(botChat()) }, ...children);
  return el("span", {}, ...children);
}

const MARKS = { url: "link", copy_text: "copy", switch_inline_query: "share", switch_inline_query_chosen_chat: "share", switch_inline_query_current_chat: "share" };
function drawKeyboard(message) {
  return el("div", { className: "keys" }, ...message.reply_markup.inline_keyboard.map((row) => el("div", {}, ...row.map((button) => {
    const kind = Object.keys(MARKS).find((name) => name in button);
    const node = el("button", { type: "button", title: button.text, onclick: () => press(message, button, node) }, button.text);
    if (kind) node.append(icon(MARKS[kind]));
    return node;
  }))));
}

function press(message, button, node) {
  if ("callback_data" in button) {
    const tag = String((tags += 1));
    waiting.set(tag, node);
    node.classList.add("waiting");
    setTimeout(() => node.classList.remove("waiting"), 15000);
    act("press", { chat: current.id, message_id: message.message_id, data: button.callback_data, tag });
  } else if (button.url) openLink(button.url);
  else if (button.copy_text) navigator.clipboard.writeText(button.copy_text.text).then(() => toast(t("copied")), () => say(button.copy_text.text));
  else if ("switch_inline_query_current_chat" in button) openChat(current, `@${bot.username} ${button.switch_inline_query_current_chat}`);
  else {
    const chosen = button.switch_inline_query_chosen_chat || { query: button.switch_inline_query, allow_user_chats: true, allow_bot_chats: true, allow_group_chats: true };
    const allowed = { private: chosen.allow_bot_chats, friends: chosen.allow_user_chats, supergroup: chosen.allow_group_chats };
    pick([...chats.values()].filter((chat) => allowed[chat.type]), (chat) => openChat(chat, `@${bot.username} ${chosen.query || ""}`));
  }
}

/** Follow a link; one that starts the bot stays on this page. */
function openLink(href, event) {
  let url;
  try { url = new URL(href); } catch { return; }
  const own = ["t.me", "telegram.me"].includes(url.hostname) && url.pathname.slice(1).toLowerCase() === bot.username.toLowerCase();
  if (!own) {
    if (!["http:", "https:"].includes(url.protocol)) event?.preventDefault();
    else if (!event) window.open(href, "_blank", "noopener,noreferrer");
    return;
  }
  event?.preventDefault();
  startParameter = url.searchParams.get("start") || null;
  const inBotChat = event && current === botChat(); // There a link of the bot's needs no second press.
  openChat(botChat());
  if (inBotChat && startParameter) $("start").click();
}

function drawPoll(poll) {
  const mine = votes[poll.id], done = Boolean(mine);
  const kind = [t(poll.type === "quiz" ? "quiz" : "poll"), poll.is_anonymous ? t("anonymous") : ""].filter(Boolean).join(" · ");
  const options = poll.options.map((option, number) => {
    const share = poll.total_voter_count ? Math.round((100 * option.voter_count) / poll.total_voter_count) : 0;
    const right = done && poll.correct_option_ids?.includes(number), wrong = done && poll.type === "quiz" && mine?.includes(number) && !right;
    const mark = right ? "✓" : wrong ? "✗" : done ? `${share}%` : "";
    return el("button", { type: "button", disabled: done, className: `option ${right ? "right" : ""} ${wrong ? "wrong" : ""}`,
      ariaLabel: `${option.text}${right ? `, ${t("right")}` : wrong ? `, ${t("wrong")}` : ""}`, onclick: () => act("vote", { poll_id: poll.id, options: [number] }) },
    el("i", {}, mark), el("span", {}, option.text), done ? el("progress", { max: 100, value: share, ariaHidden: "true" }) : null);
  });
  const hint = done && poll.explanation ? el("blockquote", {}, ...drawText(poll.explanation, poll.explanation_entities || [])) : null;
  return el("div", { className: "poll" }, el("h3", {}, poll.question), el("p", {}, kind), ...options, hint, el("p", {}, t("votes")(poll.total_voter_count)));
}

function drawTools(message, mine) {
  const tool = (name, then) => el("button", { type: "button", className: "icon", title: t(name), ariaLabel: t(name), onclick: then }, icon(name));
  const tools = el("div", { className: "tools" }, tool("reply", () => setContext({ reply_to: message.message_id }, summary(message))));
  if (mine && message.text && !message.via_bot) tools.append(tool("edit", () => {
    setContext({ edit: message.message_id }, message.text);
    $("text").value = message.text;
    typed();
  }));
  return tools;
}

// Writing.

function setContext(value, label = "") {
  if (context?.edit && !value) $("text").value = "";
  context = value;
  $("context").hidden = !value;
  $("context").firstElementChild.textContent = value ? `${t(value.edit ? "edit" : "reply")}: ${label}` : "";
  $("context").lastElementChild.ariaLabel = t("cancel");
  if (value) $("text").focus();
}

function submit(event) {
  event?.preventDefault();
  const text = $("text").value.trim();
  if (!text) return;
  if (context?.edit) act("edit", { chat: current.id, message_id: context.edit, text });
  else act("send", { chat: current.id, text, ...context });
  $("text").value = "";
  setContext(null);
  typed();
}

let typingTimer;
function typed() {
  const field = $("text"), name = `@${bot.username} `;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
  clearTimeout(typingTimer);
  if (field.value.toLowerCase().startsWith(name.toLowerCase())) {
    const text = field.value.slice(name.length);
    if (inline?.text === text && inline.chat === current.id) return;
    typingTimer = setTimeout(() => ask(text, ""), inline ? 250 : 0);
    return;
  }
  inline = null;
  const word = /^\/(\w*)$/.exec(field.value);
  showCommands(word ? current.commands.filter((command) => command.command.startsWith(word[1])) : []);
}

function ask(text, offset) {
  const tag = String((tags += 1));
  inline = { chat: current.id, text, tag, next: "", fresh: !offset };
  act("type", { chat: current.id, text, offset, tag });
}

function showResults({ results, next_offset, button, query_id }) {
  const box = $("suggestions"), cards = results.map((card) => suggestion(card.title, card.description || "", face(card.title),
    () => {
      act("choose", { chat: current.id, query_id, result_id: card.id });
      $("text").value = "";
      typed();
      $("text").focus();
    }));
  if (inline.fresh) {
    const top = button ? [el("button", { type: "button", className: "top", onclick: () => {
      $("text").value = "";
      startParameter = button.start_parameter;
      openChat(botChat());
    } }, button.text)] : [];
    box.replaceChildren(...top, ...(cards.length || button ? cards : [el("p", {}, t("nothing"))]));
    box.scrollTop = 0;
  } else box.append(...cards);
  box.hidden = false;
  inline.next = next_offset;
  loadMore();
}

function loadMore() {
  const box = $("suggestions");
  if (inline?.next && !box.hidden && box.scrollHeight - box.scrollTop - box.clientHeight < 200) ask(inline.text, inline.next);
}

function showCommands(commands) {
  $("suggestions").hidden = !commands.length;
  $("suggestions").replaceChildren(...commands.map((command) => suggestion(`/${command.command}`, command.description, null, () => {
    const group = current.type === "supergroup" ? `@${bot.username}` : "";
    act("send", { chat: current.id, text: `/${command.command}${group}` });
    $("text").value = "";
    typed();
    $("text").focus();
  })));
}

const suggestion = (title, description, picture, then) =>
  el("button", { type: "button", onclick: then }, picture, el("div", {}, el("b", {}, title), el("small", {}, description)));

/** Arrows walk through the suggestions; Escape goes back to the text. */
function walk(event) {
  const all = [...$("suggestions").querySelectorAll("button")], here = all.indexOf(document.activeElement);
  if ($("suggestions").hidden || !all.length) return;
  if (event.key === "ArrowDown") (all[here + 1] || all[0]).focus();
  else if (event.key === "ArrowUp") (here > 0 ? all[here - 1] : here === 0 ? $("text") : all.at(-1)).focus();
  else if (event.key === "Escape") [$("suggestions").hidden] = [true, $("text").focus()];
  else return;
  event.preventDefault();
}

// Small windows.

let toastTimer;
function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $("toast").classList.remove("shown"), 2500 + 30 * text.length);
}

function say(...content) {
  $("dialog").firstElementChild.replaceChildren(...content);
  $("dialog").querySelector("form button").textContent = t("close");
  $("dialog").showModal();
}

function pick(from, then) {
  say(el("b", {}, t("pick")), ...from.map((chat) => el("button", { type: "button", className: "pick", onclick: () => {
    $("dialog").close();
    then(chat);
  } }, face(chat.title, chat.type), chat.title)));
  $("dialog").querySelector("form button").textContent = t("cancel");
}

function menu(anchor, entries) {
  const box = anchor.getBoundingClientRect(), low = box.top > innerHeight / 2, node = $("menu");
  node.replaceChildren(...entries.map(([label, then]) => el("button", { type: "button", role: "menuitem", onclick: () => {
    node.hidden = true;
    then();
  } }, label)));
  node.hidden = false;
  Object.assign(node.style, { right: `${innerWidth - box.right}px`, top: low ? "auto" : `${box.bottom + 4}px`, bottom: low ? `${innerHeight - box.top + 8}px` : "auto" });
  node.firstElementChild.focus();
}

$("composer").onsubmit = submit;
$("text").oninput = typed;
$("text").onkeydown = (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
  else if (event.key === "Escape" && context) setContext(null);
};
document.querySelector("footer").addEventListener("keydown", walk);
$("suggestions").onscroll = loadMore;
$("context").lastElementChild.onclick = () => setContext(null);
$("messages").onscroll = () => { $("down").hidden = nearEnd(); };
$("down").onclick = toEnd;
$("back").onclick = () => document.body.classList.remove("open");
$("language").onclick = () => act("language", { code: language() === "ru" ? "en" : "ru" });
$("theme").onclick = () => {
  localStorage.setItem("theme", THEMES[(THEMES.indexOf(localStorage.getItem("theme") || "auto") + 1) % THEMES.length]);
  showTheme();
};
$("commands").onclick = () => {
  showCommands($("suggestions").hidden ? current.commands : []);
  $("suggestions").querySelector("button")?.focus();
};
$("attach").onclick = () => menu($("attach"), ["sticker", "photo", "voice", "document"].map((kind) => [t(kind), () => act("media", { chat: current.id, kind })]));
$("more").onclick = () => menu($("more"), [[t("stop"), () => act("block", { blocked: true })]]);
$("start").onclick = () => {
  if (me.blocked) act("block", { blocked: false });
  act("send", { chat: current.id, text: startParameter ? `/start ${startParameter}` : "/start" });
  startParameter = null;
  history.replaceState(null, "", location.pathname);
};
document.addEventListener("pointerdown", ({ target }) => { if (!$("menu").contains(target)) $("menu").hidden = true; });
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") $("menu").hidden = true; });
connect();
