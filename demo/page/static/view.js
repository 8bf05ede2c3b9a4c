// Small pieces of the page: elements, avatars, times. Text is always set as text; only HTML the server sanitized is set as HTML.

/** Makes an element: `el("p", { class: "x", onclick }, "text", child)`. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

const kindOf = (line) =>
  /^(?:commit|diff|index|new file|deleted file|---|\+\+\+) /.test(line)
    ? "about"
    : line.startsWith("@@")
      ? "place"
      : line.startsWith("+")
        ? "added"
        : line.startsWith("-")
          ? "removed"
          : "same";

/** The lines of a diff, each in the color of what it is. */
export const diffLines = (diff) =>
  diff
    .trimEnd()
    .split("\n")
    .map((line) => el("span", { class: `diff-line ${kindOf(line)}` }, `${line}\n`));

/** Links to the page's own issues and pull requests are followed in this tab. */
export function stayHere(body) {
  for (const link of body.querySelectorAll('a[href^="/issues/"], a[href^="/pulls/"]')) {
    link.removeAttribute("target");
    link.dataset.route = "";
  }
}

const svgNames = "http://www.w3.org/2000/svg";
const icons = {
  open: "M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM1.5 8a6.5 6.5 0 1 0 13 0 6.5 6.5 0 0 0-13 0Z",
  closed:
    "M11.28 6.78a.75.75 0 0 0-1.06-1.06L7.25 8.69 5.78 7.22a.75.75 0 0 0-1.06 1.06l2 2a.75.75 0 0 0 1.06 0l3.5-3.5ZM16 8A8 8 0 1 1 0 8a8 8 0 0 1 16 0Zm-1.5 0a6.5 6.5 0 1 0-13 0 6.5 6.5 0 0 0 13 0Z",
  pull: "M1.5 3.25a2.25 2.25 0 1 1 3 2.122v5.256a2.251 2.251 0 1 1-1.5 0V5.372A2.25 2.25 0 0 1 1.5 3.25Zm5.677-.177L9.573.677A.25.25 0 0 1 10 .854V2.5h1A2.5 2.5 0 0 1 13.5 5v5.628a2.251 2.251 0 1 1-1.5 0V5a1 1 0 0 0-1-1h-1v1.646a.25.25 0 0 1-.427.177L7.177 3.427a.25.25 0 0 1 0-.354ZM3.75 2.5a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5Zm0 9.5a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5Zm8.25.75a.75.75 0 1 0 1.5 0 .75.75 0 0 0-1.5 0Z",
  comment:
    "M1 2.75C1 1.784 1.784 1 2.75 1h10.5c.966 0 1.75.784 1.75 1.75v7.5A1.75 1.75 0 0 1 13.25 12H9.06l-2.573 2.573A1.458 1.458 0 0 1 4 13.543V12H2.75A1.75 1.75 0 0 1 1 10.25Zm1.75-.25a.25.25 0 0 0-.25.25v7.5c0 .138.112.25.25.25h2a.75.75 0 0 1 .75.75v2.19l2.72-2.72a.749.749 0 0 1 .53-.22h4.5a.25.25 0 0 0 .25-.25v-7.5a.25.25 0 0 0-.25-.25Z",
  reply:
    "M2.5 8.75h7.19l-2.22 2.22a.75.75 0 1 0 1.06 1.06l3.5-3.5a.75.75 0 0 0 0-1.06l-3.5-3.5a.75.75 0 1 0-1.06 1.06l2.22 2.22H2.5a.75.75 0 0 0 0 1.5Z",
};

export function icon(name, size = 16) {
  const svg = document.createElementNS(svgNames, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 16 16",
    width: size,
    height: size,
    "aria-hidden": "true",
    class: "octicon",
  }))
    svg.setAttribute(key, value);
  const path = document.createElementNS(svgNames, "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

/** Initials on a colour that always belongs to the same login. */
export function avatar({ login, bot }, size = "") {
  let hash = 0;
  for (const letter of login) hash = (hash * 31 + letter.codePointAt(0)) % 997;
  return el(
    "span",
    { class: `avatar ${size} ${bot ? "bot" : `hue-${hash % 6}`}`, "aria-hidden": "true" },
    bot ? "✓" : login.slice(0, 2),
  );
}

const steps = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [4.35, "week"],
  [12, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

export function ago(iso) {
  let value = (new Date(iso).getTime() - Date.now()) / 1000;
  if (value > -10) return "just now";
  for (const [size, unit] of steps) {
    if (Math.abs(value) < size) return words.format(Math.round(value), unit);
    value /= size;
  }
  return iso;
}

export const time = (iso) => el("time", { datetime: iso, title: new Date(iso).toUTCString() }, ago(iso));

/** GitHub's label chip; its colour is one of the few we know, since inline styles are forbidden here. */
export const label = ({ name }) =>
  el("span", { class: `label label-${/^(incident|bug)$/.test(name) ? name : "other"}` }, name);

const faces = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  hooray: "🎉",
  confused: "😕",
  heart: "❤️",
  rocket: "🚀",
  eyes: "👀",
};
const meanings = { "-1": "refused", confused: "not understood", rocket: "done", eyes: "seen" };

export function reactions(list) {
  if (list.length === 0) return undefined;
  const chips = list.map(({ content, count }) =>
    el(
      "span",
      {
        class: "reaction",
        title: meanings[content] ?? content,
        role: "img",
        "aria-label": `${content.replace("-1", "thumbs down")}: ${count}`,
      },
      emoji(faces[content] ?? content),
      el("span", { class: "n" }, String(count)),
    ),
  );
  return el("div", { class: "reactions" }, ...chips);
}

const drawn = new Map([
  ["🟢", "low"],
  ["🟡", "medium"],
  ["🔴", "high"],
  ["⛔", "block"],
  ["✅", "done"],
  ["❌", "failed"],
  ["📖", "book"],
  ["👀", "eyes"],
  ["🚀", "rocket"],
  ["😕", "confused"],
  ["👎", "thumbs-down"],
  ["👍", "thumbs-up"],
  ["⏳", "waiting"],
  ["⚠️", "warning"],
  ["⚠", "warning"],
  ["🔒", "lock"],
  ["📣", "call"],
]);
const pattern = new RegExp([...drawn.keys()].join("|"), "gu");

/** An emoji drawn by our own style sheet where we have it, so that it shows on machines without an emoji font. */
function emoji(character) {
  const name = drawn.get(character);
  return name ? el("span", { class: `emoji emoji-${name}` }, el("span", { class: "glyph" }, character)) : character;
}

/** Replaces the emoji in text, but never inside code: what stands there is copied. */
export function drawEmoji(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest("code, pre, .emoji") && node.data.search(pattern) >= 0) found.push(node);
  }
  for (const node of found) {
    const parts = [];
    let at = 0;
    for (const match of node.data.matchAll(pattern)) {
      parts.push(node.data.slice(at, match.index), emoji(match[0]));
      at = match.index + match[0].length;
    }
    // An emoji keeps to the word it marks.
    node.replaceWith(...parts, node.data.slice(at).replace(/^ /, "\u00a0"));
  }
}

/** Turns inline code that is a slash command into a button that puts it into the comment box. */
export function offerCommands(root, verbs, insert) {
  const command = new RegExp(`^/(?:ops )?(?:${verbs.join("|")})\\b`);
  for (const code of root.querySelectorAll(":not(pre) > code")) {
    const text = code.textContent;
    if (!command.test(text)) continue;
    const button = el(
      "button",
      {
        type: "button",
        class: "command",
        title: "Put it into the comment box",
        "aria-label": `Put ${text} into the comment box`,
        onclick: () => insert(text),
      },
      code.cloneNode(true),
      icon("reply", 12),
    );
    code.replaceWith(button);
  }
}

/** Where a reader goes on: the newest card of the bot that waits for somebody, else what was said last. */
export function newest(root) {
  const cards = [...root.querySelectorAll(".comment.by-bot")];
  const waits = cards.findLast((card) =>
    [...card.querySelectorAll("button.command")].some(({ textContent }) => /^\/approve (\d|all)/.test(textContent)),
  );
  return { card: waits ?? [...root.children].slice(1).at(-1), waits: waits !== undefined };
}

/** The commands that the newest card of the bot offers. */
export function offered(root) {
  const cards = [...root.querySelectorAll(".comment.by-bot")].reverse();
  for (const card of cards) {
    const found = [...card.querySelectorAll("button.command code")].map((code) => code.textContent);
    const approve = found.find((text) => /^\/approve (\d|all)/.test(text));
    if (approve)
      return [
        approve,
        ...found.filter((text) => text !== approve && /^\/(reject|explain|edit|retry)/.test(text)).slice(0, 1),
      ];
  }
  return [];
}
