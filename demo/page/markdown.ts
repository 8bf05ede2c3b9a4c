import { Marked } from "marked";
import sanitize from "sanitize-html";

const alerts: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Important",
  WARNING: "Warning",
  CAUTION: "Caution",
};

const marked = new Marked({
  gfm: true,
  breaks: true, // GitHub breaks lines in comments, unlike in files.
  renderer: {
    /** `> [!WARNING]` as GitHub shows it. */
    blockquote({ tokens, raw }) {
      const kind = /^>\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/m.exec(raw)?.[1];
      const inner = this.parser.parse(tokens);
      if (kind === undefined) return `<blockquote>\n${inner}</blockquote>\n`;
      const text = inner.replace(/\[!\w+\](<br>)?\s*/, "");
      return `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}"><p class="markdown-alert-title">${alerts[kind]}</p>${text}</div>\n`;
    },
    /** Nothing external is loaded: an image becomes a link to it. */
    image({ href, text }) {
      return `<a href="${escapeHtml(href)}">${escapeHtml(text || "image")}</a>`;
    },
  },
  extensions: [
    {
      name: "mention",
      level: "inline",
      start: (source: string) => /(?<![\w/`])@[a-z\d]/i.exec(source)?.index,
      tokenizer(source: string) {
        const match = /^@([a-z\d](?:[a-z\d-]{0,38})(?:\/[a-z\d-]+)?)/i.exec(source);
        return match ? { type: "mention", raw: match[0] } : undefined;
      },
      renderer: (token) => `<strong class="mention">${escapeHtml(token.raw)}</strong>`,
    },
  ],
});

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const allowed: sanitize.IOptions = {
  allowedTags: [
    ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "a"],
    ...["strong", "b", "em", "i", "del", "s", "sub", "sup", "kbd", "ins", "samp", "span", "div", "details", "summary"],
    ...["table", "thead", "tbody", "tr", "th", "td", "input"],
  ],
  allowedAttributes: {
    a: ["href", "rel", "target"],
    input: ["type", "checked", "disabled", "class"],
    details: ["open"],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
  },
  allowedClasses: {
    code: ["language-*"],
    div: ["markdown-alert", "markdown-alert-*"],
    p: ["markdown-alert-title"],
    strong: ["mention"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesAppliedToAttributes: ["href"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  exclusiveFilter: (frame) => frame.tag === "input" && frame.attribs.type !== "checkbox",
  transformTags: {
    a: sanitize.simpleTransform("a", { rel: "nofollow noopener noreferrer", target: "_blank" }),
    input: (_tag, attributes) => ({
      tagName: "input",
      attribs: {
        type: attributes.type ?? "",
        disabled: "",
        class: "task-list-item-checkbox",
        ...(attributes.checked === undefined ? {} : { checked: "" }),
      },
    }),
  },
};

const rendered = new Map<string, string>();
const maxRendered = 500;

/** GitHub-flavoured Markdown as safe HTML: no script, style, image or handler survives, comments vanish, boxes are disabled. */
export const renderMarkdown = (text: string): string => {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  const html = sanitize(marked.parse(text, { async: false }), allowed);
  if (rendered.size >= maxRendered) rendered.clear();
  rendered.set(text, html);
  return html;
};
