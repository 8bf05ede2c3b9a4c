import type { Verdict } from "../base/risk.ts";

/** Whether a command may run unattended: under a lease, by a schedule, and in any other run without an approval of its own. Pure. */

/**
 * Why a command is left to people, in words that go on "It is left to people: …"; undefined if nothing in it is. Its level is
 * another question, asked as well.
 */
export function whyAttended({
  unknown,
  egress,
  sends,
  unbounded,
  secretAnswer,
  reveals = secretAnswer,
}: Omit<Verdict, "risk" | "findings" | "rulesVersion">): string | undefined {
  if (unknown !== false) return "it is not known whole";
  if (sends !== false) return "it sends what only the server knows to another host";
  if (egress !== "none") return "it reaches another host";
  if (reveals !== undefined) return `it ${reveals}`;
  const [first] = unbounded;
  return first && `nothing bounds it: ${first.what}`;
}
