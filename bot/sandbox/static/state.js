/** What this browser knows of its person, the bot and the chats, and the connection to the server. */

import { TEXTS } from "./texts.js";

export const state = {
  me: null,
  bot: null,
  chats: new Map(), // by identifier; each has its messages, by identifier too
  current: null, // the chat that is open
  votes: {}, // chosen options by poll
  startParameter: new URLSearchParams(location.search).get("start"), // what START sends; null when there is no link
};

const LANGUAGES = Object.keys(TEXTS);

export function language() {
  const code = state.me ? state.me.language_code : navigator.language;
  return LANGUAGES.find((known) => (code || "").startsWith(known)) || LANGUAGES[0];
}

export const nextLanguage = () => LANGUAGES[(LANGUAGES.indexOf(language()) + 1) % LANGUAGES.length];

/** The text of this name in the person's language. */
export const t = (name) => TEXTS[language()][name];

export const botChat = () => [...state.chats.values()].find((chat) => chat.type === "private");

let tags = 0;

/** A name for a question to the server, which comes back with the answer. */
export const newTag = () => String((tags += 1));

const TOKEN = document.querySelector("meta[name=token]").content;

let socket;

/** Tell the server what the person does; it is lost while there is no connection. */
export function act(wish, more) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: wish, ...more }));
}

/** Connect, and again after each loss. `events` has a function for each event that the server sends. */
export function connect(events, onLoss) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket?token=${encodeURIComponent(TOKEN)}`);
  socket.onmessage = ({ data }) => {
    const { event, content } = JSON.parse(data);
    events[event]?.(content);
  };
  socket.onclose = ({ code }) => {
    if (code === 4001) return location.reload();
    onLoss();
    setTimeout(() => connect(events, onLoss), 1000);
  };
}
