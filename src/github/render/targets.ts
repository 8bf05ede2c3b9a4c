/** Where an action runs, on its card. */

import { serversIn } from "../../base/action.ts";
import type { Markdown } from "./ink.ts";

/** Of a cluster also who the bot is there, and in which namespace it acts. */
export interface TargetView {
  readonly server: string;
  readonly hardTimeoutMs?: number;
  readonly user?: string;
  readonly cluster?: { readonly namespace?: string };
}

/** On several servers, or on a cluster, the card names each: who approves must know where it runs (SR-31). */
export const renderServers = (
  { targets }: { readonly targets: readonly TargetView[] },
  markdown: Markdown,
): readonly string[] =>
  serversIn(targets).length === 1 && !targets[0]?.cluster
    ? []
    : [`  *on:* ${listServers(onceEach(targets), markdown)}`];

/** A server that runs several commands of a set is named once, and of a cluster each namespace of it. */
const onceEach = (targets: readonly TargetView[]): readonly TargetView[] => [
  ...new Map(targets.map((target) => [`${target.server} ${target.cluster?.namespace ?? ""}`, target])).values(),
];

/** `prod-eu · namespace shop · as system:serviceaccount:ops:countersign`: never the wrong cluster, nor the wrong one there. */
function renderTarget({ server, user = "", cluster }: TargetView, markdown: Markdown): string {
  if (!cluster) return markdown.code(server);
  const where = cluster.namespace === undefined ? "no namespace" : `namespace ${markdown.code(cluster.namespace)}`;
  return `${markdown.code(server)} · ${where} · as ${markdown.code(user)}`;
}

/** More names than this are a wall on a phone; all of them are in `/explain`. */
const namedServers = 30;

function listServers(targets: readonly TargetView[], markdown: Markdown): string {
  const names = targets.slice(0, namedServers).map((target) => renderTarget(target, markdown));
  const rest = targets.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${rest} more, each named by \`/explain\`` : ""}`;
}
