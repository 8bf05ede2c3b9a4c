// The panel of webhooks and API requests, a column on wide screens and a drawer on phones.
import { el } from "./view.js";

const maxShown = 300;
const two = (n) => String(n).padStart(2, "0");
const clock = (at) => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};
const span = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);
const health = (status) => (status === 0 ? "lost" : status < 300 ? "ok" : status < 400 ? "kept" : "bad");

function row({ at, traffic: t }) {
  const isHook = t.kind === "webhook";
  const title = isHook ? `${t.event}${t.action ? `.${t.action}` : ""}` : (t.operationId ?? `${t.method} ${t.path}`);
  const detail = isHook
    ? `delivery ${t.guid.slice(0, 8)}`
    : `${t.method} ${t.path.split("?")[0].replace(/^\/repos\/[^/]+\/[^/]+(?=\/)/, "…")}`;
  const isBot = isHook || t.by === "app" || t.by === "installation";
  return el(
    "li",
    { class: `wire-row ${t.kind} ${isBot ? "by-bot" : "by-person"}` },
    el("span", { class: "way", "aria-label": isHook ? "webhook" : "request" }, isHook ? "↓" : "↑"),
    el("span", { class: "what" }, el("b", {}, title), el("span", { class: "detail", title: detail }, detail)),
    el(
      "span",
      { class: "result" },
      el("span", { class: `status ${health(t.status)}` }, t.status === 0 ? "lost" : String(t.status)),
      el("span", { class: "took" }, span(t.ms)),
      el("span", { class: "by" }, isHook ? clock(at) : `${t.by === "installation" ? "bot" : t.by}`),
    ),
  );
}

export function startWire() {
  const panel = document.querySelector("#wire");
  const list = document.querySelector("#wire-list");
  const open = document.querySelector("#open-wire");
  const scrim = document.querySelector("#scrim");
  const isNarrow = matchMedia("(max-width: 1011px)");

  const toggle = (shown) => {
    document.body.classList.toggle("wire-open", shown);
    open.setAttribute("aria-expanded", String(shown));
    scrim.hidden = !shown;
    // What cannot be seen must not be reached by Tab either.
    panel.inert = isNarrow.matches && !shown;
    if (shown) document.querySelector("#close-wire").focus();
  };
  open.addEventListener("click", () => toggle(!document.body.classList.contains("wire-open")));
  document.querySelector("#close-wire").addEventListener("click", () => {
    toggle(false);
    open.focus();
  });
  scrim.addEventListener("click", () => toggle(false));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.classList.contains("wire-open")) return;
    toggle(false);
    open.focus();
  });
  isNarrow.addEventListener("change", () => toggle(false));
  document.querySelector("#only-bot").addEventListener("change", (event) => {
    list.classList.toggle("hide-people", event.target.checked);
  });
  toggle(false);

  return {
    reset: () => list.replaceChildren(),
    add: ({ entries, counts }) => {
      for (const entry of entries) list.prepend(row(entry));
      while (list.children.length > maxShown) list.lastChild.remove();
      document.querySelector("#count-webhook").textContent = counts.webhook;
      document.querySelector("#count-request").textContent = counts.request;
      document.querySelector("#wire-total").textContent = counts.webhook + counts.request;
      if (entries.length > 0 && entries.length < 20) {
        open.classList.remove("beat");
        void open.offsetWidth; // starts the animation again
        open.classList.add("beat");
      }
    },
  };
}
