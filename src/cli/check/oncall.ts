import type { Problem } from "../../base/errors.ts";
import type { RepoFile } from "../../base/github.ts";
import { parseRepoOnCall } from "../../config/oncall.ts";
import type { Config } from "../../config/values.ts";
import { hookNames, onCallLine, onCallNow } from "../../features/oncall/call.ts";
import { groupsIn } from "../../pager/calendar.ts";
import { createCalendar } from "../../pager/fetch.ts";
import type { CheckLook, ConfigLookKind } from "./look.ts";

const place = "oncall.calendar.url_file";
const mostNamed = 5;

export const onCallLook: ConfigLookKind = {
  name: "on call",
  roles: ["agent"],
  restsOn: ["oncall"],
  look: ({ config }) => lookAtOnCall(config),
};

/** Reads the operator's calendar; does not call the hook. */
export async function lookAtOnCall(config: Config): Promise<readonly CheckLook[]> {
  const { calendar, hook } = config.oncall;
  const last = hook ? `, last: ${hookNames[hook.kind]}` : "";
  if (!calendar) return [{ name: "on call", said: `no calendar${last}`, skipped: true }];
  const reading = { calendar: createCalendar(calendar, () => undefined), config, now: () => new Date() };
  const onCall = await onCallNow(reading, { context: {} });
  if (onCall.kind !== "known")
    return [
      {
        name: "on call",
        said: "cannot be read",
        problems: [{ place, message: onCallLine(onCall), remedy: "open the address in a browser" }],
      },
    ];
  const problems = [...new Set(onCall.roster.unknown.flatMap(groupsIn))].map((group) => ({
    place,
    message: `${group} is on call now, and is a group: the bot calls nobody for it`,
    remedy: "name each person in the calendar: `@login`, or a name that `oncall.calendar.names` has",
  }));
  const unknown = onCall.roster.unknown.filter((one) => groupsIn(one).length === 0);
  const { leftOut = [] } = onCall;
  const more = leftOut.length > mostNamed ? [`${leftOut.length - mostNamed} more`] : [];
  const warnings = [
    ...unknown.map((one) => ({
      place: "oncall.calendar.names",
      message: `nobody on GitHub is named for "${one}", who is on call now`,
      remedy: "add the name or address of the calendar, and the login",
    })),
    ...[...leftOut.slice(0, mostNamed), ...more].map((one) => ({
      place,
      message: `an event that is not on now cannot be read, and is left out: ${one}`,
      remedy: "correct or remove it in the calendar",
    })),
  ];
  return [
    { name: "on call", said: `${onCallLine(onCall)}${last}`, ...(problems.length > 0 && { problems }), warnings },
  ];
}

export function onCallProblems(file: RepoFile | undefined): readonly Problem[] {
  const parsed = file && parseRepoOnCall(file.text, file.path);
  return parsed && !parsed.ok ? parsed.problems : [];
}
