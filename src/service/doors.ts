import type { IncomingMessage, ServerResponse } from "node:http";
import { alertSourceOf, parseAlert } from "../alert/sources.ts";
import { agentTools, answerAloud } from "../features/agents/answer-agent.ts";
import type { Deps } from "../features/context.ts";
import { answerPage, viewPage } from "../features/passkey/page.ts";
import { createAlertDoor } from "../http/alerts.ts";
import { createMcpDoor } from "../http/mcp.ts";
import { createPasskeyDoor } from "../http/passkeys.ts";
import { alertArrival } from "../store/queue/arrival.ts";
import type { Inbox } from "../store/queue/inbox.ts";

const alertEvents = {
  accepted: "alert_accepted",
  refused: "alert_refused",
  "not-stored": "alert_not-stored",
} as const;

type Door = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Opens the doors for alerts, agents and passkeys. Each follows the config in force. */
export function openDoors(deps: Deps, receive: Inbox["receive"]): readonly Door[] {
  const sourceOf = (name: string) => {
    const { sources } = deps.config.alerts;
    return Object.hasOwn(sources, name) ? sources[name] : undefined;
  };
  return [
    createAlertDoor({
      source: (name) => {
        const source = sourceOf(name);
        return source && { ...source, signature: alertSourceOf(source.kind).signature };
      },
      read: (name, text) => {
        const parsed = parseAlert(sourceOf(name)?.kind ?? "json", text);
        return parsed.kind === "alert" ? { kind: "arrival", arrival: alertArrival(name, parsed.alert) } : parsed;
      },
      receive,
      now: deps.now,
      log: ({ kind, ...event }) =>
        deps.log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: alertEvents[kind] }),
    }),
    createMcpDoor({
      agents: () => deps.config.policy.proposers.mcp,
      tools: (agent) => ({
        tools: agentTools,
        call: (tool, input) => answerAloud(deps, { ask: "agent", agent, tool, input }),
      }),
      log: (event) => deps.log.warn({ module: "front", ...event, event: "mcp_refused" }),
      now: deps.now,
    }),
    createPasskeyDoor({
      isOn: () => deps.config.server.publicUrl !== undefined,
      view: (id) => viewPage(deps, id),
      take: (id, body) => answerPage(deps, id, body),
      log: ({ ok, ...event }) =>
        deps.log[ok ? "info" : "warn"]({ module: "front", ...event, event: ok ? "passkey_taken" : "passkey_refused" }),
    }),
  ];
}
