import { isDeepStrictEqual } from "node:util";
import type { Nodes } from "mdast";
import { type Decision, decideApproval, type EarlierApproval } from "../../approval/authorize.ts";
import { isOver, levelOf, peopleNeeded } from "../../approval/need.ts";
import { needsPasskey, type PasskeyStanding } from "../../approval/passkey.ts";
import { hoursWords, teamsOf } from "../../approval/place.ts";
import { decideDispatch } from "../../approval/preflight.ts";
import { type PersonStanding, rightsOf } from "../../approval/rights.ts";
import { serversIn } from "../../base/action.ts";
import { messageOf } from "../../base/errors.ts";
import type { Person } from "../../base/github.ts";
import type { Fields } from "../../base/json.ts";
import { isStricter } from "../../base/risk.ts";
import type { CertificateAnswer } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { type Config, repositoryIn, storedOutputBytes } from "../../config/values.ts";
import { rightsToRead } from "../../github/app/access.ts";
import type { EvidenceComment, IssueEvidence, ReadEvidence, ReadSender } from "../../github/evidence.ts";
import type { FetchFacts } from "../../github/facts.ts";
import { readCard } from "../../github/render/read-card.ts";
import type { Evaluate } from "../../risk/evaluate.ts";
import { type CheckRequest, checkCommand, type JobScriptRequest, type StartRequest } from "../../signer/protocol.ts";
import type { JobPlace, SignedEntry, SignerRecord } from "../../signer/record.ts";
import { parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { jobRequestLine } from "../../ssh/wrap.ts";
import { type ActionSpec, digestOf } from "../../store/actions.ts";
import { parseMarkdown } from "../../text/markdown.ts";
import { rulesAlone } from "../context.ts";
import { verifyProof } from "../passkey/passkey.ts";
import { policyInForce, riskNowOf, serversNow, whyRaised } from "../proposal/in-force.ts";
import { hashBody, isOwnWord, saidBehind } from "../run/approval-comment.ts";
import { pinsOf, targetOf } from "../run/target.ts";

/** Decides for the signer, with the bot's own pure functions on facts that the signer read itself. */

export interface SignerDeps {
  readonly config: Config & { readonly signing: NonNullable<Config["signing"]> };
  readonly evaluate: Evaluate;
  readonly evidence: ReadEvidence;
  readonly sender: ReadSender;
  readonly facts: FetchFacts;
  readonly record: Pick<SignerRecord, "entries" | "whySigned" | "giveUp">;
  readonly now: () => Date;
}

export type SigningDecision =
  /** `entry`: to be recorded first; absent for a job that exists. */
  | { readonly ok: true; readonly server: Server; readonly keyId: string; readonly entry?: SignedEntry }
  | Extract<CertificateAnswer, { ok: false }>;

const no = (reason: string) => ({ ok: false, reason }) as const;

/** A fixed script for a job that the signer let begin: the bytes are made here, and must be those that were sent. */
export function decideJobScript(
  { config, record }: Pick<SignerDeps, "config" | "record">,
  { server: name, job, bytes }: JobScriptRequest,
): SigningDecision {
  const server = config.servers.get(name);
  if (server?.signer !== true) return no(`${name} is no server of the signer's file`);
  const entry = record.entries().find((one) => one.server === name && one.jobId === job.jobId);
  if (jobRequestLine(server, job) !== bytes) return no("the script is not the signer's own");
  const none = no(`there is no such job on ${name}: the signer let none begin`);
  if (!entry) return { ...none, noJobSince: giveUp(record, { server: name, jobId: job.jobId }) };
  return { ok: true, server, keyId: keyIdOf(entry, `job-${job.act}`) };
}

/** Only a job that cannot begin later either is told as one that never began. */
function giveUp(record: Pick<SignerRecord, "giveUp">, job: JobPlace): string | undefined {
  try {
    return record.giveUp(job);
  } catch {
    // Then it is not known whether the job began, and the bot says so.
    return undefined;
  }
}

/** Why a server's entry is not that of the signer's file, by the keys of the files; undefined if it is. */
export function whyUnlike(
  { config }: Pick<SignerDeps, "config">,
  { server: name, target: theirs }: CheckRequest,
): string | undefined {
  const server = config.servers.get(name);
  if (server?.signer !== true) return `${name} is no server of the signer's file`;
  const keys = pinsOf(server);
  if (!keys.ok) return keys.reason;
  const shown: Fields = { ...theirs };
  const jobId = typeof shown.jobId === "string" ? shown.jobId : null;
  const own = targetOf(server, checkCommand, keys.fingerprints, { jobId, outputCapBytes: storedOutputBytes(config) });
  const differs = Object.entries(own).flatMap(([key, value]) => (isDeepStrictEqual(value, shown[key]) ? [] : [key]));
  // The limit is in the bytes, too.
  const named = differs.filter((key) => key !== "wrapped" || !differs.includes("hardTimeoutMs"));
  return named.length === 0
    ? undefined
    : `the signer's file says something else: ${named.map((key) => settingOf[key] ?? key).join(", ")}`;
}

const settingOf: Readonly<Record<string, string>> = {
  hostKeys: "host_key",
  wrapped: "path",
  hardTimeoutMs: "hard_timeout",
  outputCapBytes: "execution.stored_output_mb",
};

const keyIdOf = ({ issue, number, digest }: SignedEntry, last: string): string =>
  `countersign:${issue.replace("#", "/")}#${number}:${digest}:${last}`;

/** Never throws: what cannot be read is a refusal. */
export async function decideStart(deps: SignerDeps, request: StartRequest): Promise<SigningDecision> {
  try {
    return await decide(deps, request);
  } catch (error) {
    return no(`the signer cannot make sure: ${messageOf(error)}`);
  }
}

async function decide(deps: SignerDeps, request: StartRequest): Promise<SigningDecision> {
  const { config } = deps;
  const { spec } = request;
  const repository = repositoryIn(config, request.repo);
  if (!repository) return no(`${request.repo} is not in the signer's file`);
  if (!config.execution.enabled) return no("the signer's file says execution.enabled: false");
  const { rules } = rulesAlone({ config }, repository.name);
  const servers = serversNow({ rules }, spec);
  const server = servers?.find(({ name }) => name === request.server);
  if (!servers || !server) return no("its servers, host keys or bytes are not those of the signer's file");
  if (server.signer !== true) return no(`${server.name} takes no certificate by the signer's file`);
  const unfit = whyNotHere(spec);
  if (unfit !== undefined) return no(unfit);
  const [target, ...others] = spec.targets.filter((one) => one.server === server.name && one.step === request.step);
  if (!target || others.length > 0 || target.jobId === null) return no("its spec does not name that run once");
  if (target.wrapped !== request.bytes) return no("the bytes are not those of its digest");
  const riskNow = riskNowOf(deps, servers, spec);
  if (isStricter(spec.risk, riskNow))
    return no(`it is ${riskNow} risk by the signer's rules, and its card said ${spec.risk}`);
  const digest = digestOf(spec);
  const base = {
    at: deps.now().toISOString(),
    issue: `${repository.name}#${request.issue}`,
    issueNodeId: spec.issueNodeId,
    number: spec.number,
    digest,
    server: server.name,
    host: target.host,
    port: target.port,
    ...(target.step === undefined ? {} : { step: target.step }),
    jobId: target.jobId,
    risk: spec.risk,
    command: spec.command,
    approvals: [],
  };
  const signed = deps.record.whySigned(base);
  if (signed !== undefined) return no(signed);
  if (request.approvals.length === 0)
    return no(
      "no comment approves it: leases, schedules and checks under another approval run on no server with a signer",
    );

  const policy = policyInForce({ rules }, { spec }, deps.now());
  if (isStricter(policy.maxRisk, spec.risk))
    return no(`a rule for ${spec.place} allows ${policy.maxRisk} risk at most`);
  const usesTeams = teamsOf(config.policy, spec.demands).length > 0;
  const reads = { ...rightsToRead, issues: "read", ...(usesTeams ? { members: "read" } : {}) };
  const evidence = await deps.evidence({
    repo: repository.name,
    issue: request.issue,
    historyOf: config.signing.appUser,
    reads,
  });
  const askedAt = Date.now();
  const placeName = servers.length === 1 ? server.name : spec.place;
  const own = evidence.comments.filter(({ author }) => author?.id === config.signing.appUser);
  const shown = whatWasShown(own, spec, placeName);
  if (shown.kind === "otherwise") return no(shown.why);
  if (shown.kind === "shown" && shown.conditional) return no(conditionWords);

  const talk = readTalk(evidence, config.commands.prefixes);
  const asked = new Map(request.approvals.map((one) => [one.comment, one.passkey]));
  const approving = talk.filter(({ comment }) => asked.has(comment.id));
  if (approving.length < asked.size)
    return no("a comment that is said to approve it is not on the issue, or no person's");
  const stops = talk.filter(
    ({ slash }) =>
      isHold(slash) ||
      slash.verb === verbs.resume.verb ||
      isNamed(slash, verbs.cancel.verb, spec.number) ||
      (isReject(slash) && isNamed(slash, slash.verb, spec.number)),
  );
  const people = [...new Map([...approving, ...stops].map(({ person }) => [person.id, person])).values()];
  if (people.length > mostPeople) return no("too many people have spoken on the issue");
  const facts = await deps.facts({
    installationId: evidence.installationId,
    repo: repository.name,
    issue: request.issue,
    people,
    comments: [],
    teams: teamsOf(config.policy, spec.demands),
    reads,
  });
  const standingOf = (person: Person, appId?: number): PersonStanding => {
    const known = facts.people.get(person.id);
    const standing = {
      person,
      type: "User",
      role: known?.role ?? "none",
      teams: known?.teams ?? [],
      viaApp: appId !== undefined,
    };
    return { ...standing, appId };
  };

  const level = levelOf({ risk: spec.risk, servers: serversIn(spec.targets) }, policy);
  if (level === "block") return no("this command never runs");
  const { expiresMs } = policy[level];
  const first = Math.min(...approving.map(({ comment }) => comment.createdAt.getTime()));
  const { appUser } = config.signing;
  const isGone = evidence.deletions.some(
    ({ at, authorId = appUser, byId = appUser }) =>
      (authorId === appUser || byId === appUser) && at.getTime() >= first - expiresMs,
  );
  if (isGone) return no("a comment of the bot was deleted, or one by the bot: what people read or said may be gone");
  if (
    evidence.comments.some(
      ({ author, edited, editorId = appUser }) => author?.id !== appUser && edited && editorId === appUser,
    )
  )
    return no("the bot has edited somebody's comment");

  const standing = stops.map((one) => ({ ...one, rights: rightsOf(policy.approvers, standingOf(one.person)) }));
  const rejection = standing.find(({ slash, rights }) => isReject(slash) && rights.approve);
  if (rejection) return no(`@${rejection.person.login} rejected it`);
  const lastResume =
    standing.findLast(({ slash, rights }) => slash.verb === verbs.resume.verb && rights.approve)?.comment.id ?? 0;
  const hold = standing.find(({ slash, comment, rights }) => isHold(slash) && rights.act && comment.id > lastResume);
  const cancelled =
    standing.findLast(({ slash, rights }) => slash.verb === verbs.cancel.verb && rights.act)?.comment.id ?? 0;

  const takesPasskey = needsPasskey({ risk: spec.risk, servers: serversIn(spec.targets) }, policy);
  const expiresAt = Date.parse(spec.expiresAt);
  const earlier: EarlierApproval[] = [];
  const counted: Parameters<typeof decideDispatch>[0]["approvals"][number][] = [];
  const approvals: { id: number; login: string; comment: number }[] = [];
  // A `/retry` says what the record knows of that number, not what the bot does.
  const isKnown = deps.record
    .entries()
    .some(
      (one) =>
        one.issueNodeId === spec.issueNodeId &&
        one.number === spec.again &&
        one.server === server.name &&
        one.command === spec.command,
    );
  const again = isKnown ? spec.again : undefined;
  let ownWord: string | undefined;
  let last: Decision | undefined;
  for (const { comment, person, slash } of approving) {
    const isOwn = isOwnWord(slash, { origin: "person", spec: { ...spec, again, probes: undefined } });
    const said = isOwn ? { alone: true, ...saidBehind(slash, placedOf(spec)) } : wordsOf(slash, spec);
    if (!said) return no(`the comment of @${person.login} does not approve ${spec.number}`);
    if (isOwn) ownWord = `${comment.id} ${slash.verb} ${slash.verb === verbs.retry.verb ? again : ""}`.trim();
    else if (shown.kind !== "shown" || !isReadFirst(shown, comment))
      return no(`@${person.login} approved it before its card was there`);
    const sender = await deps.sender({
      repo: repository.name,
      installationId: evidence.installationId,
      comment: comment.id,
      reads,
    });
    const isUnchanged =
      !comment.edited &&
      !comment.byEmail &&
      sender.authorId === person.id &&
      hashBody(sender.body) === hashBody(comment.body);
    const presence = takesPasskey
      ? await presenceOf(deps, { digest, person, comment, passkey: asked.get(comment.id) })
      : undefined;
    const own = standingOf(person, sender.appId);
    const createdAt = shown.kind === "shown" ? shown.at.getTime() : comment.createdAt.getTime();
    last = decideApproval({
      policy,
      roster: policy.approvers,
      standing: own,
      action: {
        ...placedOf(spec),
        risk: spec.risk,
        origin: "model",
        authorId: isAuthor(talk, person, spec) ? person.id : undefined,
        createdAt: isOwn ? Math.min(createdAt, comment.createdAt.getTime()) : createdAt,
        expiresAt,
        state: "proposed",
        digest,
      },
      earlier,
      slash: {
        ...said,
        unfit: comment.byEmail ? "by-email" : isUnchanged ? undefined : "edited",
        confirmed: isOwn || hasSaidBefore(talk, { comment, person, number: spec.number }),
      },
      recentHigh: highOf(deps, person),
      presence,
      now: comment.createdAt.getTime(),
    });
    if (last.kind === "refuse") return no(`the approval of @${person.login}: ${last.text}`);
    if (last.kind === "prove") return no(`no passkey proves the approval of @${person.login}`);
    earlier.push({ personId: person.id, verdict: "approve" });
    approvals.push({ id: person.id, login: person.login, comment: comment.id });
    counted.push({
      personId: person.id,
      digest,
      counts: true,
      byLease: false,
      comment: {
        unchanged: isUnchanged,
        approves: !isOver(comment.createdAt.getTime() + expiresMs, deps.now().getTime()),
      },
      sinceClosing: evidence.issue.closedAt === undefined || comment.createdAt > evidence.issue.closedAt,
      mayApprove: rightsOf(policy.approvers, own).approve,
      proved: presence?.proved === true,
      fresh: comment.id > lastResume && comment.id > cancelled,
    });
  }
  if (last?.kind !== "complete")
    return no(last?.kind === "counted" ? `it has ${last.have} of ${last.need} approvals` : "nobody approved it");

  const decision = decideDispatch({
    action: {
      state: "approved",
      digest,
      digestNow: digest,
      expiresAt: new Date(shown.kind === "shown" ? Math.min(expiresAt, shown.at.getTime() + expiresMs) : expiresAt),
      serverUnchanged: true,
      rulesUnchanged: true,
      placeRulesUnchanged: true,
      raised: whyRaised(deps, servers, spec, sentBefore(deps, spec)),
    },
    before: "none",
    guard: undefined,
    incident: { open: true },
    stopped: hold ? `@${hold.person.login} holds it` : undefined,
    issue: {
      open: evidence.issue.open,
      sameRepository: evidence.repository.id === spec.repoId && (repository.id ?? spec.repoId) === spec.repoId,
      sameName: evidence.repository.name.toLowerCase() === repository.name.toLowerCase(),
      installed: facts.installed,
      sameIssue: evidence.issue.nodeId === spec.issueNodeId,
      asPrivate: evidence.repository.private || repository.allowPublic,
    },
    storeIsCurrent: true,
    executes: true,
    needed: peopleNeeded({ risk: spec.risk, servers: serversIn(spec.targets) }, policy),
    shut: policy.shut && hoursWords(policy.shut.hours),
    passkey: takesPasskey,
    approvals: counted,
    lease: undefined,
    card: shown.kind === "shown" ? { asWeWroteIt: true, untouched: true, showsIt: true } : "not-posted",
    now: deps.now(),
  });
  if (decision.kind !== "go") return no(decision.reason);
  if (Date.now() - askedAt > mostMs) return no("GitHub answers too slowly to sign on what it says");
  const entry: SignedEntry = { ...base, approvals, ...(ownWord === undefined ? {} : { ownWord }) };
  return { ok: true, server, keyId: keyIdOf(entry, approvals.map(({ login }) => login).join(",")), entry };
}

/** What GitHub said before may not hold any more. */
const mostMs = 15_000;
/** Each makes one request longer. */
const mostPeople = 30;

const conditionWords = "it runs under a condition that the bot alone checks; on a server with a signer nothing does";

function whyNotHere(spec: ActionSpec): string | undefined {
  // The card shows `command`, and what runs are the members.
  if (spec.set && spec.set.map(({ command }) => command).join("\n") !== spec.command)
    return "its commands are not those that its card shows";
  if (spec.open !== undefined && spec.open.length > 0) return "it waits for values";
  if (spec.guard !== undefined) return conditionWords;
  if (spec.opening !== undefined) return "an opening lease runs nothing on a server with a signer";
  if (spec.checks !== undefined || spec.guards !== undefined)
    return "a check under another command's approval runs on no server with a signer; approve it by its own number";
  return undefined;
}

const placedOf = ({ place, targets }: ActionSpec) => ({ place, servers: serversIn(targets) });

interface SpokenCommand {
  readonly comment: EvidenceComment;
  readonly person: Person;
  readonly slash: SlashCommand;
}

/** The commands of people, oldest first. */
const readTalk = ({ comments }: IssueEvidence, prefixes: readonly string[]): readonly SpokenCommand[] =>
  comments.flatMap((comment) => {
    const { author, type, body } = comment;
    const slash = author && type === "User" ? parseSlashCommand(body, prefixes) : undefined;
    return author && slash?.kind === "command" ? [{ comment, person: author, slash }] : [];
  });

const isNamed = ({ verb, ids }: SlashCommand, wanted: string, number: number): boolean =>
  verb === wanted && (ids === "all" || ids.some((id) => id.number === number));

const isReject = ({ verb }: SlashCommand): boolean =>
  verb === verbs.reject.verb || verbs.reject.aliases.some((one) => one === verb);
const isHold = ({ verb }: SlashCommand): boolean =>
  verb === verbs.hold.verb || verbs.hold.aliases.some((one) => one === verb);

/** What an `/approve` says of this action; undefined if it says nothing of it. */
function wordsOf(slash: SlashCommand, spec: ActionSpec) {
  if (!isNamed(slash, verbs.approve.verb, spec.number)) return undefined;
  const { ids } = slash;
  const alone = ids !== "all" && new Set(ids.map(({ number }) => number)).size === 1;
  const pins = ids === "all" ? [] : ids.flatMap(({ number, pin }) => (number === spec.number && pin ? [pin] : []));
  return { alone, pinnedDigest: pins[0], ...saidBehind(slash, placedOf(spec)) };
}

/** GitHub's times are whole seconds: of two comments in one the ids tell, of an edit nothing does. */
const isReadFirst = (shown: Extract<ShownResult, { kind: "shown" }>, comment: EvidenceComment): boolean =>
  comment.id > shown.id && (shown.isEdit ? comment.createdAt > shown.at : comment.createdAt >= shown.at);

/** Whoever wrote the command in a comment of their own. */
const isAuthor = (talk: readonly SpokenCommand[], { id }: Person, { command }: ActionSpec): boolean =>
  talk.some(
    ({ person, slash }) =>
      person.id === id &&
      (slash.verb === verbs.run.verb || slash.verb === verbs.edit.verb) &&
      slash.block?.trim() === command.trim(),
  );

const hasSaidBefore = (
  talk: readonly SpokenCommand[],
  { comment, person, number }: { readonly comment: EvidenceComment; readonly person: Person; readonly number: number },
): boolean =>
  talk.some(
    (one) =>
      one.person.id === person.id && one.comment.id < comment.id && isNamed(one.slash, verbs.approve.verb, number),
  );

/** By the keys in the signer's own file. */
async function presenceOf(
  { config }: Pick<SignerDeps, "config">,
  given: {
    readonly digest: string;
    readonly person: Person;
    readonly comment: EvidenceComment;
    readonly passkey: StartRequest["approvals"][number]["passkey"];
  },
): Promise<PasskeyStanding> {
  const { digest, person, comment, passkey } = given;
  const own = config.signing.passkeys.filter(({ id }) => id === person.id);
  const key = own.find(({ keyId }) => keyId === passkey?.id);
  const { publicUrl } = config.server;
  if (!passkey || !key || publicUrl === undefined) return { hasKey: own.length > 0, proved: false };
  const proof = { assertion: passkey, publicKey: key.publicKey, origin: new URL(publicUrl).origin };
  const about = { digest, personId: person.id, comment: { id: comment.id, sha256: hashBody(comment.body) } };
  return { hasKey: true, proved: (await verifyProof(proof, about)) !== undefined };
}

/** What the signer let begin on the issue before, as `whyRaised` wants it. */
const sentBefore = ({ record }: Pick<SignerDeps, "record">, { issueNodeId, number }: ActionSpec) =>
  record
    .entries()
    .filter((one) => one.issueNodeId === issueNodeId && one.number !== number && one.risk !== "low")
    .map((one) => ({ name: `${one.number}`, command: one.command, isSure: false, targets: [one] }))
    .slice(-mostEarlier);

const mostEarlier = 200;

const hourMs = 3_600_000;

/** How many high-risk actions that this person approved were signed within the hour. */
function highOf({ record, now }: Pick<SignerDeps, "record" | "now">, { id }: Person): number {
  const since = now().getTime() - hourMs;
  const found = record
    .entries()
    .filter((one) => one.risk === "high" && Date.parse(one.at) > since && one.approvals.some((by) => by.id === id));
  return new Set(found.map(({ issueNodeId, number }) => `${issueNodeId} ${number}`)).size;
}

type ShownSpec = Pick<ActionSpec, "number" | "risk" | "place" | "command">;

type ShownResult =
  /**
   * From then on, by that comment, from its beginning or since an edit; `conditional`: under a condition that the bot alone checks.
   */
  | {
      readonly kind: "shown";
      readonly id: number;
      readonly at: Date;
      readonly isEdit: boolean;
      readonly conditional: boolean;
    }
  | { readonly kind: "not-shown" }
  | { readonly kind: "otherwise"; readonly why: string };

/**
 * Whether the bot's comments have shown this command under its number, and never anything else: a bot that is not ours any more could show one
 * command, and name another afterwards. Pure.
 */
export function whatWasShown(own: readonly EvidenceComment[], spec: ShownSpec, placeName: string): ShownResult {
  let first: { readonly id: number; readonly at: Date; readonly isEdit: boolean } | undefined;
  let conditional = false;
  for (const comment of own)
    for (const [nth, { at, body }] of comment.versions.entries())
      for (const item of itemsIn(body)) {
        const [entry, ...more] = readCard(item.text);
        if (entry?.number !== spec.number) continue;
        if (more.length > 0) return { kind: "otherwise", why: "a card shows two commands as one" };
        if (item.isHidden || item.code !== entry.command)
          return { kind: "otherwise", why: "its card hides it, or a part of it" };
        const isSame = entry.command === spec.command && entry.risk === spec.risk && entry.place === placeName;
        if (!isSame) return { kind: "otherwise", why: `the bot has shown another command under ${spec.number}` };
        if (item.text.includes("**Runs only if check")) conditional = true;
        if (!first || at < first.at || (at.getTime() === first.at.getTime() && comment.id < first.id))
          first = { id: comment.id, at, isEdit: nth > 0 };
      }
  return first ? { kind: "shown", ...first, conditional } : { kind: "not-shown" };
}

interface CardItem {
  readonly text: string;
  /** The first block of code that a reader sees in it. */
  readonly code: string | undefined;
  readonly isHidden: boolean;
}

/**
 * The tasks of a card as GitHub's Markdown has them: what stands in a comment of HTML, in code or in a quote is none. One counts as hidden
 * behind HTML that may fold it away.
 */
function itemsIn(body: string): readonly CardItem[] {
  const source = body.replace(/\r\n?/g, "\n");
  const items: CardItem[] = [];
  // Our parser blanks such marks to stay fast, and may then read what GitHub does not.
  const isUnsure = source
    .split("\n\n")
    .some(
      (block) =>
        (block.match(/[*_~]+/g)?.length ?? 0) > mostMarks || /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){30}/m.test(block),
    );
  let open = 0;
  let isOdd = false;
  const seeHtml = (node: Nodes): void => {
    if (node.type === "html") {
      const tags = node.value.replace(/<!--(?!-?>)[\s\S]*?-->/g, "");
      open += (tags.match(/<details(?: open)?>/g) ?? []).length - (tags.match(/<\/details>/g) ?? []).length;
      if (tags.replace(/<\/?(?:details|summary|sub)>|<details open>|<br>/g, "").match(/<[A-Za-z!/?]/)) isOdd = true;
    }
    if ("children" in node) for (const child of node.children) seeHtml(child);
  };
  for (const node of parseMarkdown(source).children) {
    if (node.type === "list")
      for (const item of node.children) {
        const [from, to] = [item.position?.start.offset, item.position?.end.offset];
        if (from === undefined || to === undefined) throw new Error("a card cannot be read");
        const [code] = codeIn(item);
        const isHidden = isOdd || open > 0 || isUnsure || hasHtml(item);
        seeHtml(item);
        items.push({ text: source.slice(from, to), code, isHidden });
      }
    else seeHtml(node);
  }
  return items;
}

const mostMarks = 1_000;

const codeIn = (node: Nodes): readonly string[] =>
  node.type === "code" ? [node.value] : "children" in node ? node.children.flatMap(codeIn) : [];

const hasHtml = (node: Nodes): boolean => node.type === "html" || ("children" in node && node.children.some(hasHtml));
