import { Readable } from "node:stream";
import { checksIn, memberOf, mostInSet, outputPlace, serversIn } from "../../base/action.ts";
import { type Finding, type Risk, stricter } from "../../base/risk.ts";
import { wentWell } from "../../base/run.ts";
import type { Deps } from "../../features/context.ts";
import { answer } from "../../features/thread/answer.ts";
import { hintOf, viewsOf } from "../../features/thread/views.ts";
import { renderHow } from "../../github/render/card.ts";
import { explainUnknown } from "../../github/render/ending.ts";
import { duration, type Markdown, renderCommand, riskMark } from "../../github/render/ink.ts";
import { renderPlace, stateWords } from "../../github/render/state.ts";
import { whatToDrop } from "../../risk/soften.ts";
import { actionOf, actionsOf, type Target } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { type Run, runsOf } from "../../store/runs.ts";
import { openerOf } from "../../store/schedules.ts";
import { type OutputSelection, readOutput } from "../../text/page.ts";
import { isUnderWay } from "../act/under-way.ts";
import { missingNumber, numbersIn, sentenceOf, unknownNumber } from "../answers.ts";
import type { Call, Handler } from "../command.ts";

/** Explains risk, approvers, the exact bytes that will run (POLICY-6), and why a run is UNKNOWN (RR-06). */
export const explain: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext, slash } = call;
    const { markdown } = deps;
    const actions = await actionsOf(tx, incident.id);
    const id = slash.ids === "all" ? undefined : slash.ids[0];
    const action = actions.find((candidate) => candidate.number === id?.number);
    if (!id || !action) {
      const body = id ? sentenceOf(unknownNumber(id.number), actions) : missingNumber("explain", actions);
      await answer(tx, call, incident, { outcome: "mistake", body });
      return;
    }
    const view = (await viewsOf(tx, incident.id)).find((candidate) => candidate.number === action.number);
    const { spec } = action;
    let at = 0;
    const reasons = checksIn(spec).map(({ command }) => {
      const own = findingsWithin(action.findings, command, at);
      at += command.length + 1;
      return renderWhy(command, own, toDrop(call, spec.targets, command), markdown);
    });
    const body = [
      `**${action.number}** · ${riskMark(spec.risk)} · ${renderPlace(spec, markdown)} · ${view ? stateWords(view, markdown) : action.state}`,
      view ? explainUnknown(view, markdown) : "",
      ...reasons,
      ...whatRuns(spec.targets, markdown),
      `Digest ${markdown.code(action.digest.slice(0, 16))} · rules ${markdown.code(spec.rulesVersion.slice(0, 12))} · host key ${[...new Set(spec.targets.flatMap(({ hostKeys }) => hostKeys))].map(markdown.code).join(", ")} · proposed by ${action.origin === "person" ? markdown.code(`@${action.authorLogin ?? "ghost"}`) : action.origin === "model" ? `the model ${markdown.code(spec.model ?? "")}` : "a runbook"}`,
      view ? renderHow([view], hintOf(deps, repoContext), markdown) : "",
    ];
    await answer(tx, call, incident, { outcome: "done", body: body.filter((part) => part !== "").join("\n\n") });
  });

/** Unknown servers make nothing low. */
function toDrop({ deps, repoContext }: Call, targets: readonly Target[], command: string): readonly string[] {
  const servers = serversIn(targets).map((server) => repoContext.rules.servers.find(({ name }) => name === server));
  const riskOf = (text: string): Risk =>
    servers
      .map(
        (server): Risk =>
          server?.shell === "bash" && server.os !== "windows"
            ? deps.evaluate(text, { ...server, os: "linux" }).risk
            : "block",
      )
      .reduce(stricter, "low");
  return whatToDrop(command, riskOf);
}

/** A job's scripts are long; of a set each check is shown. */
const shownGroups = 3;

/** Groups equal bytes; jobs differ only in the id. */
function whatRuns(targets: readonly Target[], markdown: Markdown): readonly string[] {
  const same = ({ jobId, wrapped }: Target): string => (jobId === null ? wrapped : wrapped.replaceAll(jobId, ""));
  const alike = Map.groupBy(targets, (target) => JSON.stringify([same(target), target.user, target.hardTimeoutMs]));
  const groups = [...alike.values()];
  const most = targets.some(({ step }) => step !== undefined) ? mostInSet : shownGroups;
  const rest = groups.length - most;
  const more = rest > 0 ? [`The same for ${rest} more kinds of servers, which differ in account, limit or path.`] : [];
  const shown = groups.slice(0, most).flatMap((group) => {
    const [target] = group;
    if (!target) return [];
    const where =
      alike.size === 1 || serversIn(targets).length === 1
        ? ""
        : ` on ${group.map(({ server }) => markdown.code(server)).join(", ")}`;
    if (target.wrapped === "") return [`**What runs**${where}: nothing before its values are filled in.`];
    const limit = `ended after ${duration(target.hardTimeoutMs)} at the latest`;
    const bytes = renderCommand(target.wrapped, markdown);
    const how = target.jobId === null ? "" : ", as a job that goes on when the connection is lost";

    const folded = `<details><summary>what is sent, with the fixed script that keeps the job</summary>\n\n${bytes}\n\n</details>`;
    return [
      `**What runs**${where}, as ${markdown.code(target.user)}${how}, ${limit}:\n\n${target.jobId === null ? bytes : folded}`,
    ];
  });
  return [...shown, ...more];
}

/** A phone shows about three without scrolling. */
const maxShown = 3;

const around = 24;

/** Marks the three strictest reasons, and says what to leave out for low risk. */
export function renderWhy(
  command: string,
  findings: readonly Finding[],
  toDrop: readonly string[],
  markdown: Pick<Markdown, "plain" | "code">,
): string {
  const lines = findings.slice(0, maxShown).map((it) => {
    const span = placeOf(command, it);
    const line = `- ${riskMark(it.risk)} · ${markdown.plain(it.text)}`;
    if (!span) return line;
    const [start, end] = span;
    const oneLine = (part: string): string => part.replace(/\s+/g, " ");
    const head = oneLine(command.slice(Math.max(0, start - around), start)).trim();
    const place = oneLine(command.slice(start, Math.min(end, start + 2 * around)));
    const tail = oneLine(command.slice(end, end + around)).trim();
    const mark = [
      head === "" ? "" : markdown.code((start > around ? "…" : "") + head),
      `**${markdown.code(place)}**`,
      tail === "" ? "" : markdown.code(tail + (command.length > end + around ? "…" : "")),
    ];
    return `${line} · ${mark.filter((piece) => piece !== "").join(" ")}`;
  });
  const more = findings.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  const low =
    toDrop.length > 0
      ? `\n\nLow without ${toDrop.slice(0, maxShown).map(markdown.code).join(", or without ")} (\`/edit\`).`
      : "";
  return `**Why this risk**\n\n${lines.join("\n")}${low}`;
}

/** For the command at `at` in a set's text; offsets become the command's own. */
export const findingsWithin = (findings: readonly Finding[], command: string, at: number): readonly Finding[] =>
  findings.flatMap((one): readonly Finding[] => {
    if (!one.span) return one.inner && !command.includes(one.inner.text.trimEnd()) ? [] : [one];
    const [start, end] = [one.span[0] - at, one.span[1] - at];
    return start >= 0 && end <= command.length ? [{ ...one, span: [start, end] }] : [];
  });

/** Undefined if the command only makes the text, e.g. from base64. */
function placeOf(command: string, { span, inner }: Finding): readonly [number, number] | undefined {
  if (span || !inner) return span;
  const at = command.indexOf(inner.text.trimEnd());
  return at === -1 ? undefined : [at + inner.span[0], at + inner.span[1]];
}

/** Shows a page, the end, or lines with a text (AR-14); of a running command, the output so far. */
export const output: Handler = async (call) => {
  const { deps, slash, event } = call;
  const id = slash.ids === "all" ? undefined : slash.ids[0];
  const before = id && (await actionOf(deps.store.db, call.incident.id, id.number));
  // Output since the last edit is only in memory.
  if (before && isUnderWay(before)) await deps.running.draw(before.id);
  await call.commit(async (tx, incident) => {
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    const actions = await actionsOf(tx, incident.id);
    const some = (numbers: string): string => `Run so far: ${numbers}.`;
    const ran = numbersIn(actions, ["dispatching", "running", "done"], { some, none: "Nothing has run yet." });
    if (!id) return mistake(`${missingNumber("output", actions, ran)}${await scheduledNote(tx, deps, incident)}`);
    const action = actions.find((candidate) => candidate.number === id.number);
    const runs = (await runsOf(tx, incident.id)).filter((candidate) => candidate.actionId === action?.id);
    const isSet = action?.spec.set !== undefined;
    const [first, ...words] = slash.words;
    const second = slash.ids === "all" ? undefined : slash.ids[1];
    const ofCheck = second === undefined ? runs : runs.filter(({ step }) => step === second.number - 1);
    if (ofCheck.length === 0 && runs.length > 0)
      return mistake(
        `**${id.number}** has no check ${second?.number}. Write \`/output ${id.number}${isSet ? " 1" : ""}\`.`,
      );
    const onServer = ofCheck.filter(({ server }) => server === first);
    const named = onServer.length > 0 ? onServer : ofCheck;
    // People mean the failed run.
    const run = named.find((one) => one.ending && !wentWell(one)) ?? named[0];
    if (!run?.startedAt) {
      const known = action ? `**${id.number}** has not run, so it has no output` : unknownNumber(id.number).what;
      const others = numbersIn(actions, ["dispatching", "running", "done"], {
        some: (numbers) => `Output is available for: ${numbers}.`,
        none: "Nothing has run here yet.",
      });
      return mistake(`${known}. ${others}${await scheduledNote(tx, deps, incident)}`);
    }
    if (incident.public || !event.private)
      return mistake(
        "This issue is public, so outputs stay off it: ask the operator of this bot, whose store has them.",
      );
    const how = howToRead(onServer.length > 0 ? words : slash.words);
    if (!how) {
      const which = `${id.number} ${outputPlace(runs, run)}`.trimEnd();
      return mistake(`Write \`/output ${which} page 2\`, \`tail 50\` or \`grep text\`.`);
    }
    const stored = run.ending ? await outputOf(tx, run.id) : undefined;
    if (stored?.withheld)
      return mistake(`The output of **${id.number}** is withheld: ${deps.markdown.plain(stored.withheld)}`);
    const pieces = run.ending ? outputParts(tx, run.id) : Readable.from([run.soFar ?? ""]);
    const { text, note } = await readOutput(pieces, how, deps.config.agent.outputCharacters);
    const check =
      isSet && action ? `check ${(run.step ?? 0) + 1}, ${deps.markdown.code(memberOf(action.spec, run).command)}` : "";
    const on = serversIn(runs).length > 1 ? deps.markdown.code(run.server) : "";
    const parts = [check, on].filter((part) => part !== "");
    const where = parts.length === 0 ? "" : ` of ${parts.join(" on ")}`;
    const what = run.ending ? `output${where} · ${deps.markdown.plain(note)}` : `${soFarOf(run)}${where}`;
    const body = [`**${id.number}** · ${what}`, ...(text === "" ? [] : [deps.markdown.fence(text, "text")])].join(
      "\n\n",
    );
    await answer(tx, call, incident, { outcome: "done", body });
  });
};

/** `soFar` is cleaned and redacted. */
function soFarOf({ startedAt, seenAt, soFar }: Run): string {
  if (!startedAt || !seenAt) return "running; no output yet";
  const after = duration(seenAt.getTime() - startedAt.getTime());
  return soFar ? `still running, output so far, after ${after}` : `still running; no output in ${after}`;
}

/** A schedule's runs before the incident have no number (WF-2). */
async function scheduledNote(tx: Tx, { markdown }: Deps, incident: Incident): Promise<string> {
  const schedule = await openerOf(tx, incident.id);
  if (!schedule) return "";
  const runs = schedule.issue === null ? "" : `, and all its runs in issue ${schedule.issue}`;
  return ` What the schedule ${markdown.code(schedule.workflow)} ran has no number here: it is in the text of this issue${runs}.`;
}

function howToRead(words: readonly string[]): OutputSelection | undefined {
  const [kind, ...rest] = words;
  const value = rest.join(" ");
  const count = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
  switch (kind?.toLowerCase()) {
    case undefined:
      return { kind: "page", page: 1 };
    case "page":
      return count === undefined ? undefined : { kind: "page", page: count };
    case "tail":
      return count === undefined ? undefined : { kind: "tail", lines: count };
    case "grep":
      return value === "" ? undefined : { kind: "grep", text: value };
    default:
      return undefined;
  }
}
