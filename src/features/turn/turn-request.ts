import type { NamedServer } from "../../agent/describe.ts";
import type { TurnTools } from "../../agent/tools.ts";
import type { Skill } from "../../base/github.ts";
import type { Server } from "../../base/server.ts";
import { buildMenu } from "../../runbooks/menu.ts";
import type { Incident } from "../../store/incidents.ts";
import { linksWithRecords, type Records } from "../proposal/track-record.ts";
import { buildSystemPrompt, type PromptInput, type SystemPrompt } from "./prompt.ts";
import { type Doings, toolSummary } from "./turn-tools.ts";

export interface RequestInput extends Omit<PromptInput, "menu" | "tools" | "servers"> {
  readonly incident: PromptInput["incident"] & Pick<Incident, "title" | "body">;
  readonly records: Records;
  readonly servers: readonly Server[];
}

/** What a turn sends beside its conversation. */
export interface TurnRequest {
  readonly prompt: SystemPrompt;
  readonly tools: TurnTools;
}

/** The functions behind the tools: of the skills that are named, and of the helper for what the turn itself is told. */
export interface Behind {
  readonly doings: (menu: readonly Skill[]) => Doings;
  readonly delegate: (input: Omit<PromptInput, "component">) => NonNullable<TurnTools["delegate"]>;
}

/**
 * The system prompt of a turn and the tools that are offered with it: for the turn itself, and for `countersign prompt`, whose
 * tools nobody calls (OP-1, OP-8).
 */
export function buildRequest(input: RequestInput, behind: Behind): TurnRequest {
  const { config, runbooks, incident, records } = input;
  const { planning, subAgents } = config.features;
  const menu = linksWithRecords(buildMenu(runbooks.skills, incident), records);
  const servers = input.servers.map(namedServerOf);
  const { updatePlan, startWorkflow, ...always } = behind.doings(menu);
  const own: TurnTools = {
    ...always,
    listServers: () => servers,
    skillNames: menu.map((skill) => skill.name),
    ...(planning && { updatePlan }),
    ...(runbooks.workflows.length > 0 && { startWorkflow }),
    mayPropose: true,
    mayAsk: true,
  };
  const told = { ...input, menu, servers };
  const tools = subAgents ? { ...own, delegate: behind.delegate({ ...told, tools: own }) } : own;
  return { prompt: buildSystemPrompt({ ...told, tools }), tools };
}

/** What the agent is told of a server: what people are, and whether it is root there (PA-8). */
const namedServerOf = (server: Server): NamedServer => ({
  ...toolSummary(server),
  ...(server.os === "windows" ? {} : { root: server.user === "root" }),
});
