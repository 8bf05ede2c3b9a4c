import type { Risk } from "../base/risk.ts";
import type { ServerSummary } from "../base/server.ts";
import type { ToolSpec } from "./wire/shapes.ts";

/** A server as the agent knows it. */
export interface NamedServer extends ServerSummary {
  /** Whether commands run as root there; absent where that means nothing. Which account it is otherwise is not told (PA-8). */
  readonly root?: boolean | undefined;
}

/** Where the agent works and what holds there. */
export interface PromptEnvironment {
  readonly repo: string;
  readonly issue: number;
  readonly servers: readonly NamedServer[];
  /** What an approval takes, by risk: the policy in force. */
  readonly approvals?: readonly Approvals[] | undefined;
}

export interface Approvals {
  readonly risk: Risk;
  readonly people: number;
  /** A reason has to be given with it. */
  readonly reason: boolean;
  /** It has to come by itself, with the server named again. */
  readonly alone: boolean;
}

/** One line of a catalogue; the text is somebody's, so it stays on its line. */
export const entry = (name: string, description: string): string =>
  `- **${name}**: ${description.replace(/[^\S ]\s*|\s{2,}/g, " ").trim()}`;

/** What may be known of the servers (PA-8): name, operating system, groups, description. */
export const describeServers = (servers: readonly NamedServer[]): string =>
  servers.length === 0
    ? "There is no server you may name: propose no command."
    : servers
        .map(({ name, os, groups, root, description }) =>
          entry(
            name,
            [
              os === "auto" ? "OS not known yet" : os,
              ...(root === undefined ? [] : [root ? "runs as root" : "not root"]),
              ...groups.map((g) => `group ${g}`),
              description,
            ].join("; "),
          ),
        )
        .join("\n");

/** `action: integer, page?: integer`: the schema itself goes with the request. */
function describeParameters({ properties, required }: ToolSpec["parameters"]): string {
  const names = Array.isArray(required) ? required : [];
  const types = Object.entries(properties ?? {}).map(([name, schema]: [string, unknown]) => {
    const type = typeof schema === "object" && schema !== null && "type" in schema ? String(schema.type) : "any";
    return `${name}${names.includes(name) ? "" : "?"}: ${type}`;
  });
  return types.length > 0 ? ` (${types.join(", ")})` : "";
}

/** A tool as the prompt lists it (S13.1). */
export const describeTool = ({ name, description, parameters }: ToolSpec): string =>
  `${entry(`\`${name}\``, description)}${describeParameters(parameters)}`;

/** The repository, its servers, what approvals take there, and last the incident, which no other shares. */
export function describeEnvironment({ repo, issue, servers, approvals = [] }: PromptEnvironment): string {
  const needs = approvals.map(({ risk, people, reason, alone }) =>
    [
      `${risk} ${people}`,
      ...(reason ? ["with a reason"] : []),
      ...(alone ? ["each by itself with its server named"] : []),
    ].join(", "),
  );
  return [
    `Repository: ${repo}`,
    ...(servers.length > 0 ? ["Servers you may name, all there are:"] : []),
    describeServers(servers),
    ...(servers.some(({ root }) => root === false)
      ? ["Where it is not root, `sudo -n COMMAND` can help where the account may; nobody can type a password."]
      : []),
    ...(needs.length > 0 ? [`Approvals a command needs, by its risk: ${needs.join("; ")}.`] : []),
    `Incident: issue #${issue}`,
  ].join("\n");
}
