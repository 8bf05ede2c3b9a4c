import { admit } from "../policy/admit.ts";
import { pinnedKeys } from "../ssh/host-keys.ts";
import { defaultLimits } from "../ssh/limits.ts";
import { wrap } from "../ssh/wrap.ts";
import type { ActionDraft } from "../store/actions.ts";
import { type Person, type Proposal, type Risk, risks, type Server, stricter } from "../types.ts";
import type { Ground, World } from "./world.ts";

export type Drafted =
  | { readonly kind: "draft"; readonly draft: ActionDraft }
  /** Not made into an action at all; `why` is for the person who reads the card. */
  | { readonly kind: "refused"; readonly why: string };

/** Where a proposal comes from. */
export interface Origin {
  readonly origin: ActionDraft["origin"];
  readonly author?: Person;
  readonly card?: string | undefined;
  /** Which model proposed it, and under which system prompt. */
  readonly model: string | null;
  readonly promptSha256: string | null;
}

/**
 * Makes a proposal into an action that can be shown and approved: the server is one of the repo's, the command may be shown
 * (SR-32, SR-34) and holds no secret, the risk is ours, and everything that will run is fixed now (SR-20).
 */
export function draftAction(world: World, ground: Ground, proposal: Proposal, from: Origin): Drafted {
  const refuse = (why: string): Drafted => ({ kind: "refused", why: `${proposal.title || "A command"}: ${why}` });
  const server = ground.rules.servers.find((candidate) => candidate.name === proposal.server);
  if (!server) {
    const known = ground.rules.servers.map((candidate) => candidate.name).join(", ") || "none";
    return refuse(`there is no server "${proposal.server}" for this repository (there are: ${known})`);
  }
  const admitted = admit(proposal.command, from.origin === "person" ? "person" : "model");
  if (!admitted.ok) return refuse(admitted.reason);
  const redacted = world.redact(proposal.command);
  if (!redacted.ok || redacted.text !== proposal.command) {
    return refuse(
      "the command seems to hold a secret, so it is not shown. Keep the secret in a file on the server and name that file",
    );
  }
  const keys = pinnedKeys(server);
  if (!keys.ok) return refuse(`${keys.reason} ${keys.remedy}`);

  const os = server.os === "auto" ? "linux" : server.os;
  const verdict = world.evaluate(proposal.command, { ...server, os });
  const risk = riskOf(verdict.risk, proposal.risk);
  const tooRisky = risk !== "block" && risks.indexOf(risk) > risks.indexOf(server.maxRisk);
  const policy = ground.rules.policy[risk === "block" ? "high" : risk];
  return {
    kind: "draft",
    draft: {
      state: risk === "block" || tooRisky ? "blocked" : "proposed",
      title: proposal.title,
      description: proposal.description,
      origin: from.origin,
      author: from.author,
      card: from.card,
      findings: [
        ...(tooRisky
          ? [{ ruleId: "server.max-risk", risk, text: `${server.name} accepts ${server.maxRisk} risk at most` }]
          : []),
        ...(risk === verdict.risk ? [] : [{ ruleId: "label", risk, text: `the proposal itself calls it ${risk}` }]),
        ...verdict.findings,
      ],
      spec: {
        server: server.name,
        host: server.host,
        port: server.port,
        user: server.user,
        os: server.os,
        hostKeys: keys.fingerprints,
        command: proposal.command,
        wrapped: wrap(server, proposal.command, os),
        hardTimeoutMs: server.hardTimeoutMs,
        outputCapBytes: defaultLimits.maxOutputBytes,
        risk,
        rulesVersion: verdict.rulesVersion,
        contextCommit: ground.context.commit,
        model: from.model,
        promptSha256: from.promptSha256,
        expiresAt: new Date(world.now().getTime() + policy.expiresMs).toISOString(),
      },
    },
  };
}

/** The proposer's label can only raise what we found, and never to `block`, which is ours to say (PA-7). */
function riskOf(ours: Risk, label: Risk | undefined): Risk {
  if (label === undefined || ours === "block") return ours;
  return stricter(ours, label === "block" ? "high" : label);
}

/** The server of an action as it is in the inventory now, or nothing where it no longer is what was approved. */
export function serverOf(servers: readonly Server[], spec: ActionDraft["spec"]): Server | undefined {
  const server = servers.find((candidate) => candidate.name === spec.server);
  if (!server) return undefined;
  const same =
    server.host === spec.host &&
    server.port === spec.port &&
    server.user === spec.user &&
    server.os === spec.os &&
    server.hardTimeoutMs === spec.hardTimeoutMs &&
    risks.indexOf(spec.risk) <= risks.indexOf(server.maxRisk) &&
    wrap(server, spec.command, server.os === "auto" ? "linux" : server.os) === spec.wrapped;
  return same ? server : undefined;
}
