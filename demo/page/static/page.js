// The page: which view is shown, the live connection, the panel. No framework; state is what the server last said.
import { showIssue } from "./issue.js";
import { showList, showNew } from "./list.js";
import { showPull } from "./pull.js";
import { el } from "./view.js";
import { startWire } from "./wire.js";

const main = document.querySelector("#main");
const say = document.querySelector("#say");
const toast = document.querySelector("#toast");
const setup = await (await fetch("/page/setup")).json();
const wire = startWire();

const [owner, name] = setup.repo.split("/");
document.querySelector("#owner").textContent = owner;
document.querySelector("#repo").textContent = name;

let source;
let view;

/** Says it to a screen reader. */
const announce = (text) => {
  say.textContent = text;
};

let toastTimer;
const complain = (text) => {
  toast.replaceChildren(el("div", { class: "toast" }, text));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => toast.replaceChildren(), 6000);
};

/** Does something on GitHub as one of the four; returns the answer's body, or undefined after having said what went wrong. */
const act = async (path, body) => {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (!response) return complain("The playground does not answer. Is it still running?");
  const answer = await response.json();
  if (response.ok) return answer;
  complain(`GitHub answered ${response.status} to ${body.as}: ${answer.message ?? "no reason given"}`);
  return undefined;
};

const tools = { setup, act, announce, go, remember, recall };

/** Keeps a choice for this tab. */
function remember(key, value) {
  sessionStorage.setItem(key, value);
}
function recall(key) {
  return sessionStorage.getItem(key);
}

function connect(issue) {
  source?.close();
  source = new EventSource(issue === undefined ? "/page/events" : `/page/events?issue=${issue}`);
  wire.reset();
  source.addEventListener("traffic", (event) => wire.add(JSON.parse(event.data)));
  for (const kind of ["issues", "issue", "gone", "trouble"]) {
    source.addEventListener(kind, (event) => view?.on?.[kind]?.(JSON.parse(event.data)));
  }
  source.addEventListener("open", () => document.body.classList.remove("offline"));
  source.addEventListener("error", () => document.body.classList.add("offline"));
}

/** Shows what the address says. */
function show() {
  const number = /^\/issues\/(\d+)$/.exec(location.pathname)?.[1];
  const pull = /^\/pulls\/(\d+)$/.exec(location.pathname)?.[1];
  const shown = number
    ? showIssue(Number(number), tools)
    : pull
      ? showPull(Number(pull), tools)
      : location.pathname === "/new"
        ? showNew(tools)
        : showList(tools);
  view = shown;
  document.title = `${shown.title} · ${setup.repo}`;
  main.replaceChildren(shown.root);
  connect(number === undefined ? undefined : Number(number));
}

function go(path) {
  history.pushState({}, "", path);
  show();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-route]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("popstate", show);

show();
