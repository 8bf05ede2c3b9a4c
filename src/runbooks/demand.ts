import * as z from "zod";
import type { NamedValue, RunbookDemand } from "../base/action.ts";
import type { Skill } from "../base/github.ts";
import type { Shell } from "../base/server.ts";
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

/** Returns whether a command is a skill's, as it stands there or with these values filled in. */
const holds = (
  { body }: Skill,
  {
    command,
    filled,
    shells,
  }: { readonly command: string; readonly filled: readonly NamedValue[]; readonly shells: readonly Shell[] },
): boolean => {
  const lines = shellLinesOf(body);
  const prepare = createPrepare(body, filled, shells);
  return lines.some((line) => line === command || prepare(line).some((one) => one.command === command));
};

/** Returns the demands of all skills that list the command, no matter who proposes it. */
export const demandsOf = (skills: readonly Skill[], given: Parameters<typeof holds>[1]): readonly RunbookDemand[] =>
  skills.flatMap((skill) => (skill.demand !== undefined && holds(skill, given) ? [skill.demand] : []));
