import { shellsOf } from "../../features/proposal/target-servers.ts";
import { answer } from "../../features/thread/answer.ts";
import { fillUsage } from "../../github/render/state.ts";
import { nameOf } from "../../runbooks/places.ts";
import { type FilledCommand, fillPlaces, misfitOf } from "../../runbooks/values.ts";
import { type Action, actionOf, actionsOf } from "../../store/actions.ts";
import { keepValues, valuesOf } from "../../store/incidents.ts";
import { redactText } from "../../text/bare.ts";
import { alone, nothingRun, oneNamed, stateRefusal } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { parseParameters } from "../reading/parameters.ts";
import { proposeOwn } from "./own-proposal.ts";

/** Fills in open values; the finished command is a new action. */
export const fill: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const named = oneNamed(call.slash, await actionsOf(tx, incident.id));
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (named.kind === "mistake") return mistake(named.body);
    const { action } = named;
    if (action.spec.open === undefined)
      return mistake(
        nothingRun(`**${action.number}** has nothing to fill in. To change its command: \`/edit ${action.number}\``),
      );
    if (action.state !== "incomplete") return mistake(alone(stateRefusal({ incident, action }), []));
    const values = readValues(call, action);
    if (!values.ok) return mistake(nothingRun(values.why));
    const { command, filled, open } = values.filled;
    const { number, title, spec } = action;
    await proposeOwn(tx, call, incident, {
      title,
      description: `${number}, filled in by @${call.caller.login}`,
      server: spec.place,
      command,
      filled: [...(spec.filled ?? []), ...filled],
      open,
      // A runbook's change is never called a read.
      ...(spec.risk === "low" ? {} : { risk: "medium" as const }),
      insteadOf: action,
    });
    // Kept for the runbook's next step unless its command was refused or blocked.
    const after = await actionOf(tx, incident.id, number);
    if (after?.state !== "superseded") return;
    const before = (await valuesOf(tx, incident.id)).filter(({ source }) => source === "person");
    const known = Object.fromEntries(before.map(({ name, value }) => [name, value]));
    await keepValues(tx, incident.id, "person", { ...known, ...values.given });
  });

type FilledValues =
  | { readonly ok: true; readonly given: Readonly<Record<string, string>>; readonly filled: FilledCommand }
  | { readonly ok: false; readonly why: string };

/** Reports all mistakes at once. */
function readValues({ deps, slash, repoContext }: Call, { number, spec }: Action): FilledValues {
  const { open = [] } = spec;
  const no = (why: readonly string[]): FilledValues => ({
    ok: false,
    why: `${why.map((one) => `${deps.markdown.note(one)}. `).join("")}To complete it: \`${fillUsage({ number, spec })}\``,
  });
  const parsed = parseParameters(slash.words);
  if (!parsed.ok) return no(parsed.refusals);
  const given = Object.fromEntries(Object.entries(parsed.values).map(([name, value]) => [nameOf(name), value]));
  const asked = new Set(open.map(({ name }) => name));
  const names = Object.keys(given);
  if (names.length === 0) return no([`${number} asks for ${[...asked].map((name) => `\`${name}\``).join(", ")}`]);
  const refusals = names.flatMap((name) => {
    const value = given[name] ?? "";
    if (!asked.has(name)) return [`${number} has no value called \`${name}\``];
    if (redactText(deps.redact, value) !== value)
      return [`\`${name}\` looks like a secret: delete your comment and rotate it`];
    return misfitOf(name, value) ?? [];
  });
  if (refusals.length > 0) return no(refusals);
  const values = names.map((name) => ({ source: "person", name, value: given[name] ?? "" }) as const);
  const shells = shellsOf(repoContext.rules.servers, spec.place);
  const filled = fillPlaces(spec.command, values, { shells, isRunbook: true, only: [...asked] });
  const unfit = filled.open.flatMap(({ name, why }) => (names.includes(name) && why ? [`\`${name}\`: ${why}`] : []));
  if (unfit.length > 0) return no(unfit);
  return { ok: true, given, filled };
}
