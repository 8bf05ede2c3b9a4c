/**
 * The turn without a model (OFF-1): names the runbook that fits, proposes the commands of it that only look, and goes on
 * to the acting ones one at a time once a look has succeeded. It never guesses: where it is not sure, it says so.
 */

import type { Ending, Proposal, Reading, ServerSummary, Skill } from "../types.ts";
import { type Finding, findingsOf, shows } from "./findings.ts";
import { type IncidentText, matcherOf } from "./match.ts";
import { commandsOf } from "./sections.ts";
import { chooseTarget } from "./target.ts";
import type { Workflow } from "./workflows.ts";

export interface PastRun {
  readonly command: string;
  readonly output: string;
  readonly ending: Ending;
}

export interface OfflineInput {
  readonly skills: readonly Skill[];
  readonly workflows?: readonly Workflow[] | undefined;
  readonly incident: IncidentText;
  readonly servers: readonly ServerSummary[];
  /** What has already run for this incident, oldest first. */
  readonly runs?: readonly PastRun[] | undefined;
  readonly reason: keyof typeof reasons;
  /** The policy's word on whether a command only reads on a server; without it a Verify heading is believed. */
  readonly readsOnly?: ((command: string, server: string) => boolean) | undefined;
}

const maxProposals = 3;
const none: readonly Workflow[] = [];

const reasons = {
  "no-model": "Offline: no model is configured, so this was matched to the runbooks by its text.",
  "over-budget": "Offline: the model is not asked now, so this was matched to the runbooks by its text.",
  "model-down": "Offline: the model cannot be reached, so this was matched to the runbooks by its text.",
} as const;

/** Reads an incident without a model. Pure; the same input gives the same reading. */
export function offlineReading(input: OfflineInput): Reading {
  const { skills, workflows = none, incident, reason } = input;
  const { ranked, band } = matcherOf(skills, workflows)(incident);
  const base: Reading = { prose: "", proposals: [], suggestions: [], runbooks: [], notes: [reasons[reason]] };
  const top = ranked.slice(0, 3).map(({ name }) => name);
  const skillOf = (name: string | undefined) => skills.find((skill) => skill.name === name);

  if (band === "none" || top.length === 0) {
    const prose =
      "No runbook fits this incident, so nothing is proposed.\n\n`/skills` lists what there is; `/run SERVER` with a code block proposes a command of your own.";
    return { ...base, prose, confidence: "INCONCLUSIVE", phase: "identify" };
  }
  if (band === "possible") {
    const list = top.map((name) => `- **${name}**: ${describe(name, input)}`).join("\n");
    return {
      ...base,
      prose: `One of these runbooks may fit; none is certain, so nothing is proposed.\n\n${list}\n\n\`/run SERVER\` with a code block proposes a command of your own.`,
      confidence: "INCONCLUSIVE",
      phase: "identify",
      runbooks: top.flatMap((name) => linksOf(skillOf(name))),
    };
  }
  const skill = skillOf(top[0]);
  if (skill === undefined) {
    const prose = `The workflow **${top[0]}** fits: ${describe(top[0] ?? "", input)}\n\n\`/workflow ${top[0]}\` makes a checklist of it.`;
    return { ...base, prose, confidence: "LIKELY", phase: "plan" };
  }
  return { ...base, ...followRunbook(skill, input, base.notes) };
}

/** The next commands of a runbook that certainly fits. */
function followRunbook(skill: Skill, input: OfflineInput, notes: readonly string[]): Partial<Reading> {
  const intro = `The runbook **${skill.name}** fits: ${asMarkdown(skill.description)}`;
  const common = { confidence: "LIKELY", runbooks: linksOf(skill) } as const;
  const target = chooseTarget(input.incident, input.servers);
  if (target.kind === "ask") {
    return { ...common, prose: `${intro}\n\n${target.question}`, phase: "verify" };
  }
  const step = nextStep(skill, input.runs ?? []);
  const usable = step.commands.filter((command) => !hasPlaceholder(command));
  const members = input.servers.filter(({ name, groups }) => name === target.server || groups.includes(target.server));
  const changes = (command: string) => members.some(({ name }) => input.readsOnly?.(command, name) === false);
  const changing = step.acts ? [] : usable.filter(changes);
  const proposals = usable
    .filter((command) => !changing.includes(command))
    .slice(0, step.acts ? 1 : maxProposals)
    .map((command): Proposal => {
      const title = step.acts ? `Next step of ${skill.name}` : `Check: ${command.split(/\s+/, 2).join(" ")}`;
      const description = `${step.acts ? "Acts; from" : "Only looks; from"} ${skill.path}`;
      return { title, description, server: target.server, command, ...(step.acts ? { risk: "medium" as const } : {}) };
    });
  const open = step.commands.filter(hasPlaceholder);
  return {
    ...common,
    prose: [intro, step.says, ...(open.length > 0 ? [fillIn(open)] : [])].join("\n\n"),
    phase: step.acts ? "act" : "investigate",
    proposals,
    notes: [
      ...notes,
      ...(target.note === undefined ? [] : [target.note]),
      ...changing.map(
        (command) => `Left out: the runbook lists \`${command}\` under Verify, but it changes something.`,
      ),
    ],
  };
}

interface Step {
  readonly acts: boolean;
  readonly commands: readonly string[];
  readonly says: string;
}

/**
 * Looks first; looks again after an act that failed. What its checks show decides what follows where the runbook says what
 * to expect of them; where it does not, it acts once a check has succeeded and shown something.
 */
function nextStep(skill: Skill, runs: readonly PastRun[]): Step {
  const { verify, act } = commandsOf(skill.body);
  const last = (command: string) => runs.findLast((run) => run.command.trim() === command);
  const succeeded = (command: string) => {
    const run = last(command);
    return run?.ending.kind === "exited" && run.ending.code === 0;
  };
  const look = (commands: readonly string[], says: string): Step => ({ acts: false, commands, says });

  const failedAct = act.find((command) => last(command) !== undefined && !succeeded(command));
  if (failedAct !== undefined)
    return look(verify, `\`${failedAct}\` did not succeed. Look again before anything else is changed.`);
  const findings = findingsOf(skill.body);
  if (findings.length > 0) return stepByFindings({ verify, act, findings, runs });
  const hasVerified = verify.some((command) => succeeded(command) && last(command)?.output.trim() !== "");
  const unseen = verify.filter((command) => last(command) === undefined);
  if (!hasVerified) {
    if (unseen.length === 0 && verify.length > 0) return look(verify, "None of its checks succeeded yet.");
    return look(unseen, "Look first; these only read.");
  }
  const open = act.filter((command) => last(command) === undefined);
  if (open.length === 0) return look(verify, "Its steps are done. See whether they helped.");
  return {
    acts: true,
    commands: open,
    says: "A check succeeded; read its output. If it shows the fault, this is the runbook's next step.",
  };
}

interface Checked {
  readonly verify: readonly string[];
  readonly act: readonly string[];
  readonly findings: readonly Finding[];
  readonly runs: readonly PastRun[];
}

/** An output tells of the time before an act no more than that the act was due: after each one it looks again. */
function stepByFindings({ verify, act, findings, runs }: Checked): Step {
  const ran = (command: string, among = runs) => among.some((run) => run.command.trim() === command);
  const lastAct = runs.findLastIndex(({ command }) => act.includes(command.trim()));
  const recent = runs
    .slice(lastAct + 1)
    .filter(({ command, ending }) => verify.includes(command.trim()) && ending.kind === "exited");
  const seen = findings.flatMap((finding) => {
    const at = recent.filter(({ command }) => finding.check === undefined || finding.check === command.trim());
    const pattern = finding.patterns.find((one) => at.some(({ output }) => shows(output, one)));
    return pattern === undefined ? [] : [{ ...finding, pattern }];
  });
  const faults = seen.filter(({ means }) => means === "fault");
  for (const { pattern, acts } of faults) {
    const open = (acts.length > 0 ? acts : act).filter((command) => !ran(command));
    if (open.length > 0)
      return {
        acts: true,
        commands: open,
        says: `A check shows ${quoted(pattern)}; this is the runbook's step for it.`,
      };
  }
  const look = (commands: readonly string[], says: string): Step => ({ acts: false, commands, says });
  const unseen = verify.filter((command) => !ran(command, recent));
  const [fault] = faults;
  if (fault !== undefined)
    return look(unseen, `A check still shows ${quoted(fault.pattern)}, and the runbook has no further step for it.`);
  const [doubt] = seen.filter(({ means }) => means === "unclear");
  if (doubt !== undefined)
    return look(unseen, `A check shows ${quoted(doubt.pattern)}; read in the runbook what that means here.`);
  if (unseen.length > 0)
    return look(unseen, lastAct < 0 ? "Look first; these only read." : "See whether that helped; these only read.");
  const [well] = seen;
  if (well !== undefined)
    return look(
      [],
      `A check shows ${quoted(well.pattern)}, which the runbook calls healthy. Nothing is to be changed.`,
    );
  const expected = findings.flatMap(({ means, patterns }) => (means === "fault" ? patterns : []));
  return look(
    [],
    `No check shows what the runbook expects of this fault (${expected.slice(0, 5).map(quoted).join(", ")}), so nothing is to be changed. Of a long output only a part was read; \`/output\` has the rest.`,
  );
}

const quoted = (text: string): string => `\`${text.replaceAll("`", "ˋ")}\``;

/** A value that only a person can give: `$NODE`, `<name>`, `{{name}}`. */
const hasPlaceholder = (command: string): boolean =>
  /<[a-z][\w -]*>|\{\{.*?\}\}/i.test(command) ||
  /\$\{?(?!(?:HOME|HOSTNAME|PATH|PWD|USER)\b)[A-Z][A-Z0-9_]+\b/.test(command.replace(/'[^']*'/g, ""));

const fillIn = (commands: readonly string[]): string =>
  `With your own values these belong to it too (\`/run SERVER\` with a code block):\n\n${commands.map((command) => `- ${quoted(command)}`).join("\n")}`;

function linksOf(skill: Skill | undefined): Reading["runbooks"] {
  return skill === undefined ? [] : [{ label: skill.name, url: skill.metadata.runbook ?? skill.path }];
}

const describe = (name: string, { skills, workflows = [] }: OfflineInput): string =>
  asMarkdown([...skills, ...workflows].find((it) => it.name === name)?.description ?? "");

/** Words that mean no Markdown, in a text that is Markdown. */
const asMarkdown = (words: string): string => words.replace(/[\\`*_[\]<>&~|]/g, "\\$&");
