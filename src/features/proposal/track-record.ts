import type { RunbookLink } from "../../base/agent.ts";
import type { Skill } from "../../base/github.ts";
import type { KnownLink } from "../../store/track-record.ts";

/** By runbook: `worked 4 of 5, last 12 days ago`. */
export type Records = ReadonlyMap<string, string>;

const dayMs = 24 * 3_600_000;

export function daysAgo(at: Date, asOf: Date): string {
  const days = Math.max(0, Math.floor((asOf.getTime() - at.getTime()) / dayMs));
  return days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

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
