import { type Risk, risks } from "../../types.ts";

/** An entry of a checklist as it reads on the issue; `card.ts` draws it. */
export interface ShownAction {
  readonly number: number;
  readonly risk: Risk;
  /** The server, or the name that stands for several. */
  readonly place: string;
  /** As its block shows it: bare, and with the marks that keep other bots from hearing it. */
  readonly command: string;
  /** How it ended without having run; nothing while it can run, and once it has. */
  readonly gone: Gone | undefined;
}

const goneStates = ["rejected", "superseded", "expired", "void", "blocked"] as const;
export type Gone = (typeof goneStates)[number];

const head = new RegExp(
  `^- \\[[ xX]\\] (?<struck>~~)?\\*\\*(?<number>\\d{1,6})\\*\\* · \\S+ (?<risk>${risks.join("|")}) · (?<place>\`+)(?<name>.*?)\\k<place>`,
  "u",
);

/** The entries of a comment, in their order. What stands inside of a block of code is no entry. */
export function readCard(body: string): readonly ShownAction[] {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const found: ShownAction[] = [];
  let entry: Omit<ShownAction, "command"> | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const ticks = /^ {0,3}(`{3,})/.exec(line)?.[1];
    if (ticks !== undefined) {
      const end = lines.findIndex((text, index) => index > at && text.trim() === ticks);
      const block = lines.slice(at + 1, end === -1 ? undefined : end);
      if (entry) found.push({ ...entry, command: block.map((text) => text.replace(/^ {2}/, "")).join("\n") });
      entry = undefined;
      at += block.length + 1;
      continue;
    }
    entry = readHead(line) ?? entry;
  }
  return found;
}

function readHead(line: string): Omit<ShownAction, "command"> | undefined {
  const { number, risk, name, struck } = head.exec(line)?.groups ?? {};
  const known = risks.find((word) => word === risk);
  if (number === undefined || name === undefined || known === undefined) return undefined;
  const words = struck === undefined ? "" : (/~~ (?:⛔ )?(\w+)/u.exec(line)?.[1] ?? "");
  return { number: Number(number), risk: known, place: name.trim(), gone: goneStates.find((state) => state === words) };
}
