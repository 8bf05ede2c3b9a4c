// The comment box: as whom, what, and what one might try.
import { avatar, el } from "./view.js";

const usual = {
  approver: ["/status", "/help"],
  teammate: ["/run web-1", "/status"],
  stranger: ["/approve 1", "/help"],
};
const blocks = { "/run web-1": "/run web-1\n```sh\nlogrotate -f /etc/logrotate.d/checkout\n```" };

export function composer({ setup, recall, remember }, { submit, setState }) {
  let person = setup.people.find(({ login }) => login === recall("person")) ?? setup.people[0];
  let state = "open";
  let cardHints = [];
  const text = el("textarea", {
    id: "comment-box",
    rows: 4,
    "aria-label": "Comment",
    placeholder: "Comment, or a slash command such as /approve 1",
  });
  const may = el("p", { class: "may", id: "may" });
  const hints = el("p", { class: "hints" });
  const who = el("span", { class: "who" });
  const send = el("button", { type: "submit", class: "button primary" }, "Comment");
  const close = el("button", {
    type: "button",
    class: "button",
    onclick: () => setState(person.login, state === "open" ? "closed" : "open"),
  });

  const insert = (command) => {
    text.value = blocks[command] ?? command;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    grow();
    text.scrollIntoView({
      block: "center",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
    });
  };
  const grow = () => {
    text.rows = Math.min(16, Math.max(4, text.value.split("\n").length + 1));
  };
  text.addEventListener("input", grow);

  const choices = setup.people.map((candidate) => {
    const radio = el("input", {
      type: "radio",
      name: "person",
      value: candidate.login,
      checked: candidate === person,
      "aria-describedby": "may",
      onchange: () => {
        person = candidate;
        remember("person", person.login);
        draw();
      },
    });
    return el(
      "label",
      { class: "person" },
      radio,
      avatar({ login: candidate.login, bot: false }, "small"),
      el("span", { class: "person-name" }, candidate.login),
      el("span", { class: "person-role" }, candidate.role),
    );
  });

  const draw = () => {
    may.textContent = person.may;
    who.replaceChildren(avatar({ login: person.login, bot: false }));
    close.textContent = state === "open" ? "Close incident" : "Reopen incident";
    const kind = /stranger/.test(person.role) ? "stranger" : /approver/.test(person.role) ? "approver" : "teammate";
    const shown = [...new Set([...(kind === "teammate" ? [] : cardHints), ...usual[kind]])].slice(0, 4);
    hints.replaceChildren(
      "try: ",
      ...shown.map((hint) =>
        el("button", { type: "button", class: "hint", onclick: () => insert(hint) }, el("code", {}, hint)),
      ),
    );
  };

  const form = el(
    "form",
    {
      class: "composer",
      onsubmit: async (event) => {
        event.preventDefault();
        const body = text.value.trim();
        if (body === "" || send.disabled) return;
        send.disabled = true;
        const sent = await submit(person.login, body);
        send.disabled = false;
        if (!sent) return;
        text.value = "";
        grow();
      },
    },
    el("fieldset", { class: "people" }, el("legend", {}, "Comment as"), ...choices),
    may,
    text,
    hints,
    el("div", { class: "row-end" }, el("span", { class: "keys" }, "Ctrl + Enter sends"), close, send),
  );
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  draw();
  return {
    root: el("section", { class: "compose", "aria-label": "Add a comment" }, who, form),
    insert,
    isBusy: () => text.value !== "" || document.activeElement === text,
    person: () => person.login,
    setState: (fresh) => {
      state = fresh;
      draw();
    },
    setHints: (found) => {
      cardHints = found;
      draw();
    },
  };
}

/** Edits a comment in place, as whoever is chosen below; GitHub decides whether they may. */
export function editor(setup, { comment, as, save, done }) {
  const text = el("textarea", {
    rows: Math.min(24, comment.source.split("\n").length + 2),
    "aria-label": `Text of the comment by ${comment.author.login}`,
  });
  text.value = comment.source;
  const names = setup.people.map(({ login }) => el("option", { value: login, selected: login === as }, login));
  const choice = el("select", { "aria-label": "Edit as" }, ...names);
  const form = el(
    "form",
    {
      class: "editor",
      onsubmit: async (event) => {
        event.preventDefault();
        const saved = await save(choice.value, text.value);
        if (saved) done();
      },
    },
    text,
    el(
      "div",
      { class: "row-end" },
      el("label", { class: "as" }, "as ", choice),
      el("button", { type: "button", class: "button", onclick: done }, "Cancel"),
      el("button", { type: "submit", class: "button primary" }, "Save"),
    ),
  );
  return form;
}
