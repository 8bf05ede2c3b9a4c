import { effectiveRisk } from "../../approval/need.ts";
import { checksIn, type OpenPlace, type Proposal } from "../../base/action.ts";
import { capital } from "../../base/errors.ts";
import type { Person } from "../../base/github.ts";
import { type Finding, type Risk, risks, stricter, type Unbounded, type Verdict } from "../../base/risk.ts";
import type { Expectation } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { storedOutputBytes } from "../../config/load.ts";
import { admit } from "../../risk/admit.ts";
import { whyAttended } from "../../risk/unattended.ts";
import type { ActionDraft, Target } from "../../store/actions.ts";
import { newNonce } from "../../store/ids.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isAsApproved, osOf, pinsOf, runsAsJob, targetOf, whyUnfit } from "../run/target.ts";
import { adviceFor } from "./advice.ts";
import { type Placed, targetServersOf } from "./target-servers.ts";
import { withoutEmpty } from "./without-empty.ts";

export type Drafted =
  | { readonly kind: "draft"; readonly draft: ActionDraft }
  /** Not made into an action at all; `why` is for the person who reads the card. */
  | { readonly kind: "refused"; readonly why: string };

/** Where a proposal comes from. */
export interface Origin {
  readonly origin: ActionDraft["origin"];
  readonly author?: Person;
  /** Another agent wrote it: it may be no more than what the model may propose. */
  readonly isAgent?: boolean;
  readonly card?: string | undefined;
  /** Which model proposed it, and under which system prompt. */
  readonly model: string | null;
  readonly promptSha256: string | null;
}

/**
 * Makes a proposal into an action that can be shown and approved: its servers are the repo's, the command may be shown
 * (SR-32, SR-34) and holds no secret, the risk is ours, and everything that will run is fixed now (SR-20).
 */
export function draftAction(deps: Deps, repoContext: RepoContext, proposed: Proposal, from: Origin): Drafted {
  const title = redactText(deps.redact, proposed.title);
  const refuse = (why: string): Drafted => ({
    kind: "refused",
    // Who has written one command knows which it is; of a model's several it must be said.
    why: redactText(deps.redact, from.origin === "person" ? capital(why) : `${title || "A command"}: ${why}`),
  });
  const placed = targetServersOf(repoContext.rules.servers, proposed.server);
  if (placed.kind !== "placed") return refuse(whyUnplaced(placed, repoContext.rules.servers));
  const { filled = [], open = [] } = proposed;
  const writer = from.origin === "person" && !from.isAgent ? "person" : "model";
  const admitted = admit(proposed.command, writer, open.length > 0);
  if (!admitted.ok) return refuse(admitted.reason);
  const { command, tidied } = admitted;
  // From here on there is no other command than the one that is shown.
  const proposal = { ...proposed, command };
  const redacted = deps.redact(command);
  if (!redacted.ok || redacted.text !== command) {
    return refuse(
      "the command seems to hold a secret, so it is not shown. Keep the secret in a file on the server and name that file",
    );
  }
  const judged = judge(deps, repoContext, placed.servers, proposal);
  const { risk } = judged;
  const nonce = newNonce();
  const bound = bindTargets(deps, placed.servers, { command, risk, nonce, open });
  if (bound.kind === "refused") return refuse(bound.why);
  const policy = repoContext.rules.policy[risk === "block" ? "high" : risk];
  return {
    kind: "draft",
    draft: {
      state: judged.tooRisky || risk === "block" ? "blocked" : open.length > 0 ? "incomplete" : "proposed",
      title,
      description: redactText(deps.redact, proposal.description),
      origin: from.origin,
      author: from.author,
      card: from.card,
      findings: judged.findings,
      spec: {
        place: placed.place,
        targets: bound.targets,
        command,
        ...withoutEmpty({ tidied, filled, open }),
        risk,
        expect: proposal.expect && bareExpectation(deps, proposal.expect),
        ...(judged.unbounded.length === 0 ? {} : { unbounded: judged.unbounded }),
        ...adviceFor(deps, repoContext.context, { command, filled, servers: placed.servers }),
        rulesVersion: judged.rulesVersion,
        contextCommit: repoContext.context.commit,
        model: from.model,
        promptSha256: from.promptSha256,
        nonce,
        expiresAt: new Date(deps.now().getTime() + policy.expiresMs).toISOString(),
      },
    },
  };
}

function whyUnplaced(placed: Exclude<Placed, { kind: "placed" }>, servers: readonly Server[]): string {
  if (placed.kind === "too-many")
    return `it names more than ${placed.most} servers at once. Make it several actions, on a group each`;
  return `no server or group "${placed.name}" here. Use one of: ${namesOf(servers).join(", ") || "none"}`;
}

/** Fixes for each server what will be sent there and to which keys; refused where one cannot take it. */
function bindTargets(
  deps: Deps,
  servers: readonly Server[],
  given: {
    readonly command: string;
    readonly risk: Risk;
    readonly nonce: string;
    readonly open: readonly OpenPlace[];
  },
): { readonly kind: "bound"; readonly targets: readonly Target[] } | Extract<Drafted, { kind: "refused" }> {
  const { command, risk, nonce, open } = given;
  const outputCapBytes = storedOutputBytes(deps.config);
  const targets: Target[] = [];
  for (const [index, server] of servers.entries()) {
    const keys = pinsOf(server);
    if (!keys.ok) return { kind: "refused", why: `${keys.reason}. ${capital(keys.remedy)}` };
    const unfit = whyUnfit(server, command, open);
    if (unfit) return { kind: "refused", why: `${unfit.reason}. ${capital(unfit.remedy)}` };
    const jobId = runsAsJob(server, risk) ? `${nonce}${index}` : null;
    targets.push(targetOf(server, command, keys.fingerprints, { jobId, outputCapBytes, open }));
  }
  return { kind: "bound", targets };
}

/** Its patterns are shown, and looked for in what is left of an output without its secrets. */
function bareExpectation(deps: Deps, { contains, lacks, ...rest }: Expectation): Expectation {
  return {
    ...rest,
    ...(contains === undefined ? {} : { contains: redactText(deps.redact, contains) }),
    ...(lacks === undefined ? {} : { lacks: redactText(deps.redact, lacks) }),
  };
}

/** What may be named as a place: the servers, then their groups. */
export const namesOf = (servers: readonly Server[]): readonly string[] => [
  ...new Set([...servers.map(({ name }) => name), ...servers.flatMap(({ groups }) => groups)]),
];

interface Judged {
  readonly risk: Risk;
  readonly tooRisky: boolean;
  readonly findings: readonly Finding[];
  readonly unbounded: readonly Unbounded[];
  readonly rulesVersion: string;
}

/** The risk of the whole: the highest over its servers, raised by their number and by the proposer's own label (SR-18, PA-7). */
function judge(deps: Deps, repoContext: RepoContext, servers: readonly Server[], proposal: Proposal): Judged {
  const verdicts = verdictsOn(deps, servers, [proposal.command]);
  const [first] = verdicts.toSorted((a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk));
  // placeOf gives one server at least; without any there is nothing to judge and nothing may run.
  if (!first) return { risk: "block", tooRisky: true, findings: [], unbounded: [], rulesVersion: "" };
  const found = first.risk;
  const many = effectiveRisk(found, servers.length, repoContext.rules.policy.manyServers);
  const risk = riskOf(many, proposal.risk);
  const strict = servers.filter((server) => risk !== "block" && risks.indexOf(risk) > risks.indexOf(server.maxRisk));
  return {
    risk,
    tooRisky: strict.length > 0,
    findings: [
      ...strict.map((server) => ({
        ruleId: "server.max-risk",
        risk,
        text: `${server.name} accepts ${server.maxRisk} risk at most`,
      })),
      ...(many === found
        ? []
        : [{ ruleId: "many-servers", risk: many, text: `runs on ${servers.length} servers at once` }]),
      ...(risk === many ? [] : [{ ruleId: "label", risk, text: `the proposal itself calls it ${risk}` }]),
      ...first.findings,
    ],
    unbounded: first.unbounded,
    rulesVersion: first.rulesVersion,
  };
}

/** What the rules find in it on these servers. They know no more of a server than stands here, so it is judged once for equal ones. */
function verdictsOn(
  { evaluate }: Pick<Deps, "evaluate">,
  servers: readonly Server[],
  commands: readonly string[],
): readonly Verdict[] {
  const places = servers.map((server) => {
    const { shell, env, protectedPaths, criticalServices, source } = server;
    return { os: osOf(server), shell, env, protectedPaths, criticalServices, source };
  });
  const different = new Map(places.map((where) => [JSON.stringify(where), where]));
  return [...different.values()].flatMap((where) => commands.map((command) => evaluate(command, where)));
}

/** The proposer's label can only raise what we found, and never to `block`, which is ours to say (PA-7). */
function riskOf(ours: Risk, label: Risk | undefined): Risk {
  if (label === undefined || ours === "block") return ours;
  return stricter(ours, label === "block" ? "high" : label);
}

/**
 * The servers of an action as they are in the inventory now, in its order; nothing where one of them, its keys, what is sent
 * there, or who belongs to the place is not what was approved.
 */
export function serversNow(repoContext: RepoContext, spec: ActionDraft["spec"]): readonly Server[] | undefined {
  const placed = targetServersOf(repoContext.rules.servers, spec.place);
  if (placed.kind !== "placed") return undefined;
  const { servers } = placed;
  if (spec.targets.length !== servers.length * checksIn(spec).length) return undefined;
  const same = spec.targets.every((target, index) => {
    const server = servers[index % servers.length];
    return server !== undefined && server.name === target.server && isAsApproved(server, target, spec);
  });
  return same ? servers : undefined;
}

type Judgeable = Pick<ActionDraft["spec"], "command" | "set">;

const commandsOfSpec = (spec: Judgeable): readonly string[] => checksIn(spec).map(({ command }) => command);

/** The highest risk that the rules in force now find in a command on these servers. */
export const riskNowOf = (deps: Deps, servers: readonly Server[], spec: Judgeable): Risk =>
  verdictsOn(deps, servers, commandsOfSpec(spec))
    .map(({ risk }) => risk)
    .reduce(stricter, "low");

/** Why the rules in force now leave a command on these servers to people; undefined where they do not. */
export const whyAttendedNow = (deps: Deps, servers: readonly Server[], spec: Judgeable): string | undefined =>
  verdictsOn(deps, servers, commandsOfSpec(spec))
    .map(whyAttended)
    .find((why) => why !== undefined);

/** Whether the rules in force now, the operator's own included, are those that judged it, and find no higher risk in it. */
export const isJudgedAsThen = (deps: Deps, servers: readonly Server[], spec: ActionDraft["spec"]): boolean =>
  verdictsOn(deps, servers, commandsOfSpec(spec))
    // The same rules find more where the operator's trust in a command is over.
    .every((now) => now.rulesVersion === spec.rulesVersion && risks.indexOf(now.risk) <= risks.indexOf(spec.risk));
