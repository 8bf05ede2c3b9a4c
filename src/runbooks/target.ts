import type { NamedValue } from "../base/action.ts";
import type { ServerSummary } from "../base/server.ts";
import type { IncidentText } from "./match/matcher.ts";
import { nameOf } from "./places.ts";
import { isHostName, valueFor } from "./values.ts";

export type RunbookTarget =
  | { readonly kind: "server"; readonly server: string; readonly others?: readonly string[] }
  | { readonly kind: "ask"; readonly question: string };

/** Returns the server, else the group, that is named first; else the only server; else a question, never a guess. */
export function chooseTarget({ title, body }: IncidentText, servers: readonly ServerSummary[]): RunbookTarget {
  const text = `${title}\n${body}`;
  const groups = [...new Set(servers.flatMap((server) => server.groups))];
  for (const names of [servers.map(({ name }) => name), groups]) {
    const [first, ...others] = namedIn(text, names);
    if (first === undefined) continue;
    return { kind: "server", server: first, others };
  }
  const [only, ...more] = servers;
  if (only !== undefined && more.length === 0) return { kind: "server", server: only.name };
  if (only === undefined)
    return { kind: "ask", question: "This repository reaches no server, so nothing can be proposed." };
  const list = servers
    .slice(0, 20)
    .map(({ name, description }) => `- \`${name}\`${description ? `: ${description}` : ""}`);
  return {
    kind: "ask",
    question: `On which server? Name one in a comment with \`/ask\`, for instance \`/ask look at ${only.name}\`.\n\n${list.join("\n")}`,
  };
}

/** Every server has these names. */
const everyHost = /^(?:localhost(?:\..*)?|127\..*|::1|0\.0\.0\.0|::|ip6-localhost|0:0:0:0:0:0:0:[01])$/;

/**
 * Returns the server named or addressed by an alert's `instance` or `node`, or a person's value for it; a form's chooses none. Undefined if
 * a value is no host, every host or another host.
 */
export function serverNamedBy(
  values: readonly NamedValue[],
  servers: readonly { readonly name: string; readonly host: string }[],
): string | undefined {
  const hostLike = values.filter(({ source, name }) => source !== "form" && isHostName(nameOf(name)));
  const byPerson = hostLike.filter(({ source }) => source === "person");
  const hosts = (byPerson.length > 0 ? byPerson : hostLike).map((one) =>
    valueFor(nameOf(one.name), [one]).value?.value.toLowerCase(),
  );
  if (hosts.some((host) => host === undefined || everyHost.test(host))) return undefined;
  const [named, ...others] = servers.filter(({ name, host }) =>
    hosts.some((one) => one === name.toLowerCase() || one === host.toLowerCase()),
  );
  const isAll = hosts.every((one) => one === named?.name.toLowerCase() || one === named?.host.toLowerCase());
  return others.length === 0 && isAll ? named?.name : undefined;
}

const mostWordsOfPlace = 4;

/** Returns the one server that a remark names as the place of the commands below it. */
export function placeInRemark(remark: string, names: readonly string[]): string | undefined {
  const [head = ""] = remark.split(/[:：]/, 1);
  const [named, ...others] = head.trim().split(/\s+/).length <= mostWordsOfPlace ? namedIn(head, names) : [];
  return others.length === 0 ? named : undefined;
}

/** Finds names as whole words, in the text's order: `web-1` is not in `web-12`. */
export function namedIn(text: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({
      name,
      at: text.search(new RegExp(`(?<![\\p{L}\\p{N}_.-])${RegExp.escape(name)}(?![\\p{L}\\p{N}_-])`, "iu")),
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}
