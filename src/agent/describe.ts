import type { ServerSummary } from "../types.ts";

/** One line of a catalogue; the text is somebody's, so it stays on its line. */
export const entry = (name: string, description: string): string =>
  `- **${name}**: ${description.replace(/[^\S ]\s*|\s{2,}/g, " ").trim()}`;

/** What may be known of the servers (PA-8): name, operating system, groups, description. */
export const describeServers = (servers: readonly ServerSummary[]): string =>
  servers.length === 0
    ? "There is no server you may name: propose no command."
    : servers
        .map(({ name, os, groups, description }) =>
          entry(
            name,
            [os === "auto" ? "OS not known yet" : os, ...groups.map((g) => `group ${g}`), description].join("; "),
          ),
        )
        .join("\n");
