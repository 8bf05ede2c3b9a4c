import { exportFactsOf } from "./events.ts";
import type { Severity } from "./kinds/kind.ts";
import type { AuditRow } from "./rows.ts";

/** CEF counts from 0 to 10. */
const severities: Readonly<Record<Severity, number>> = { 1: 2, 2: 4, 3: 6, 4: 8 };

/** The longest value of a key, in characters; CEF's dictionary has its limits, and JSONL has everything whole. */
const limits: Readonly<Record<string, number>> = { act: 63, outcome: 63, reason: 1_023, suser: 1_023, dhost: 1_023 };
const customLimit = 4_000;

/**
 * A row as a line of the ArcSight Common Event Format, version 0, without its line end. Header fields escape `\` and `|` and have
 * no line ends; values escape `\`, `=` and line ends. What is longer than CEF allows is cut, visibly.
 */
export function toCef(row: AuditRow, version: string): string {
  const facts = exportFactsOf(row);
  const { by, number, digest, command, ending } = facts;
  const header = [
    "CEF:0",
    "Countersign",
    "countersign",
    version,
    row.kind,
    facts.words,
    `${severities[facts.severity]}`,
  ];
  const fields: readonly (readonly [key: string, value: string | number | undefined])[] = [
    ["rt", Date.parse(row.at)],
    ["externalId", row.seq],
    ["act", row.kind],
    ["outcome", facts.succeeded ? "success" : "failure"],
    ["suser", by?.login],
    ["suid", by?.id],
    ["dhost", facts.server ?? facts.place],
    ["reason", facts.reason],
    ...labelled("cn1", "action", number),
    ...labelled("cn2", "exitCode", ending?.code),
    ...labelled("cs1", "incident", row.incidentId ?? undefined),
    ...labelled("cs2", "digest", digest),
    ...labelled("cs3", "hash", row.hash),
    ...labelled("cs4", "previousHash", row.prev),
    ...labelled("cs5", "command", command),
    ...labelled("cs6", "body", JSON.stringify(row.body)),
  ];
  const extension = fields.flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [`${key}=${valueText(cut(`${value}`, limits[key] ?? customLimit))}`],
  );
  return `${header.map(headerText).join("|")}|${extension.join(" ")}`;
}

const labelled = (key: string, label: string, value: string | number | undefined) =>
  value === undefined || value === ""
    ? []
    : ([
        [`${key}Label`, label],
        [key, value],
      ] as const);

const headerText = (text: string): string => text.replace(/[\\|]/g, "\\$&").replace(/[\r\n]+/g, " ");

const valueText = (text: string): string =>
  text.replace(/[\\=]/g, "\\$&").replaceAll("\r", "\\r").replaceAll("\n", "\\n");

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 2).replace(/[\ud800-\udbff]$/, "")} ⋯`;
