import type { RunbookLink } from "../../base/agent.ts";
import type { Skill } from "../../base/github.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import { type KnownLink, trackRecords } from "../../store/track-record.ts";
import type { Deps } from "../context.ts";

/** By runbook: `worked 4 of 5, last 12 days ago`. */
export type Records = ReadonlyMap<string, string>;

/**
 * As of the session's beginning, because the prompt must not change between turns (INJ-5). `src/store/track-record.ts` defines `worked`.
 */
export async function recordsFor(
  deps: Pick<Deps, "store">,
  { repoId }: Pick<Incident, "repoId">,
  { createdAt: asOf }: Pick<Session, "createdAt">,
): Promise<Records> {
  const records = await trackRecords(deps.store.db, { repoId, asOf });
  return new Map(
    [...records].map(([name, { used, worked, lastAt }]) => [
      name,
      `worked ${worked} of ${used}, last ${daysAgo(lastAt, asOf)}`,
    ]),
  );
}

const dayMs = 24 * 3_600_000;

export function daysAgo(at: Date, asOf: Date): string {
  const days = Math.max(0, Math.floor((asOf.getTime() - at.getTime()) / dayMs));
  return days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

/** The menu, with each skill's record before its description. */
export const linksWithRecords = (menu: readonly Skill[], records: Records): readonly Skill[] =>
  menu.map((skill) => {
    const record = records.get(skill.name);
    return record === undefined ? skill : { ...skill, description: `(${record}) ${skill.description}` };
  });

/** A reply's links with skill, record and address. */
export const knownLinks = (
  links: readonly RunbookLink[],
  { skills, records }: { readonly skills: readonly Skill[]; readonly records: Records },
  addressIn: (url: string, skill: Skill | undefined) => string | undefined,
): readonly KnownLink[] =>
  links.map(({ label, url }) => {
    const isOf = ({ path }: Skill): boolean => `/${url}`.endsWith(`/${path}`);
    const skill = skills.find((one) => label === one.name || url === one.metadata.runbook || isOf(one));
    const record = skill && records.get(skill.name);
    const address = skill && isOf(skill) ? addressIn(skill.path, skill) : addressIn(url, undefined);
    return {
      label,
      url: address ?? url,
      ...(skill && { skill: skill.name }),
      ...(record !== undefined && { record }),
    };
  });
