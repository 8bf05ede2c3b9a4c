import * as z from "zod";
import type { NamedValue, RunbookDemand } from "../base/action.ts";
import type { Skill } from "../base/github.ts";
import type { Shell } from "../base/server.ts";
import { placesIn } from "./places.ts";
import { createPrepare } from "./prepare.ts";
import { shellLinesOf } from "./sections.ts";

/** What a runbook's head may ask beyond policy: people in both `approvers` and `policy.approvers`, and at least this many. */
export const demandKeys = {
  approvals: z.int().min(1).max(10).optional(),
  approvers: z
    .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `organization/team`"))
    .min(1)
    .max(5)
    .optional(),
};

/** Returns only what is asked; undefined if that is nothing. */
export const demandIn = ({ approvals, approvers }: RunbookDemand): RunbookDemand | undefined =>
  approvals === undefined && approvers === undefined
    ? undefined
    : { ...(approvals === undefined ? {} : { approvals }), ...(approvers === undefined ? {} : { approvers }) };

interface AskedCommand {
  readonly command: string;
  readonly filled: readonly NamedValue[];
  readonly shells: readonly Shell[];
}

/** Returns whether a command is a skill's, as it stands there or with anything in its places: a demand must not be lost by typing a value. */
function holds({ body }: Skill, { command, filled, shells }: AskedCommand): boolean {
  const asked = plain(command);
  const prepare = createPrepare(body, filled, shells);
  const hasVariables = shells.every((shell) => shell === "bash");
  return shellLinesOf(body).some((line) =>
    [line, ...prepare(line).map((one) => one.command)].some(
      (form) => plain(form) === asked || fitsPlaces(plain(form), asked, hasVariables),
    ),
  );
}

/** Without what changes nothing: a trailing comment, a line that goes on, blanks. */
const plain = (command: string): string =>
  command
    .replace(/\\\r?\n/g, " ")
    .replace(/(?:^|\s)#.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();

/** Whether a command is this form with anything in its places. A form that begins with a place is no pattern, because all would fit it. */
function fitsPlaces(form: string, command: string, hasVariables: boolean): boolean {
  const places = placesIn(form, { isRunbook: true, hasVariables, setBefore: new Set() });
  if (places.length === 0 || form.slice(0, places[0]?.at).trim() === "") return false;
  const ends = places.map(({ at, written }) => at + written.length);
  const parts = [0, ...ends].map((from, index) => form.slice(from, places[index]?.at));
  const [first = "", ...others] = parts;
  const last = others.pop() ?? "";
  if (!command.startsWith(first) || !command.endsWith(last)) return false;
  const limit = command.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = command.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= limit;
}

/** Returns the demands of all skills that list the command, no matter who proposes it. */
export const demandsOf = (skills: readonly Skill[], asked: AskedCommand): readonly RunbookDemand[] =>
  skills.flatMap((skill) => (skill.demand !== undefined && holds(skill, asked) ? [skill.demand] : []));
