import type { Db } from "../database/connection.ts";
import { type AuditFilter, type AuditRow, auditRows } from "./chain.ts";
import { type AuditKind, type ExportFacts, exportFactsOf } from "./events.ts";
import type { Severity } from "./kinds.ts";

type Form = (row: AuditRow, version: string) => string;

/** JSONL has all that is hashed, so the chain can be checked from it. */
const forms = {
  jsonl: (row) => JSON.stringify(row),
  cef: toCef,
  ocsf: (row, version) => JSON.stringify(toOcsf(row, version)),
} as const satisfies Record<string, Form>;

export const auditFormats = ["jsonl", "cef", "ocsf"] as const satisfies readonly (keyof typeof forms)[];
export type AuditFormat = (typeof auditFormats)[number];

/** Yields lines, oldest first, a few hundred at a time, so that memory does not grow with the audit. */
export async function* exportAudit(
  db: Db,
  { format, version, ...filter }: AuditFilter & { readonly format: AuditFormat; readonly version: string },
): AsyncGenerator<string> {
  for await (const rows of auditRows(db, filter)) yield rows.map((row) => `${forms[format](row, version)}\n`).join("");
}

/** CEF counts from 0 to 10. */
const severities: Readonly<Record<Severity, number>> = { 1: 2, 2: 4, 3: 6, 4: 8 };

/** In characters, by CEF's dictionary. */
const limits: Readonly<Record<string, number>> = { act: 63, outcome: 63, reason: 1_023, suser: 1_023, dhost: 1_023 };
const customLimit = 4_000;

/**
 * ArcSight Common Event Format, version 0, without line end. Headers escape `\` and `|` and have no line ends; values escape `\`, `=` and
 * line ends. Long values are cut, visibly.
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
    value === undefined || value === ""
      ? []
      : [
          `${key}=${cut(`${value}`, limits[key] ?? customLimit)
            .replace(/[\\=]/g, "\\$&")
            .replaceAll("\r", "\\r")
            .replaceAll("\n", "\\n")}`,
        ],
  );
  return `${header.map((text) => text.replace(/[\\|]/g, "\\$&").replace(/[\r\n]+/g, " ")).join("|")}|${extension.join(" ")}`;
}

const labelled = (key: string, label: string, value: string | number | undefined) =>
  value === undefined || value === ""
    ? []
    : ([
        [`${key}Label`, label],
        [key, value],
      ] as const);

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 2).replace(/[\ud800-\udbff]$/, "")} ⋯`;

/** Of the Open Cybersecurity Schema Framework. */
const ocsfVersion = "1.3.0";

const severityNames: Readonly<Record<Severity, string>> = { 1: "Informational", 2: "Low", 3: "Medium", 4: "High" };

interface EventClass {
  readonly class_uid: number;
  readonly class_name: string;
  readonly category_uid: number;
  readonly category_name: string;
  readonly activity_id: number;
  readonly activity_name: string;
}

const processActivity = {
  class_uid: 1007,
  class_name: "Process Activity",
  category_uid: 1,
  category_name: "System Activity",
} as const;
const apiActivity = {
  class_uid: 6003,
  class_name: "API Activity",
  category_uid: 6,
  category_name: "Application Activity",
} as const;

/** Commands on servers are processes; all else is an act through this program. */
const launch: EventClass = { ...processActivity, activity_id: 1, activity_name: "Launch" };
const terminate: EventClass = { ...processActivity, activity_id: 2, activity_name: "Terminate" };
const classes: Readonly<Record<string, EventClass>> = {
  command_dispatched: launch,
  command_executed: terminate,
  command_unknown: terminate,
  command_proposed: { ...apiActivity, activity_id: 1, activity_name: "Create" },
} satisfies Partial<Record<AuditKind, EventClass>>;
const other: EventClass = { ...apiActivity, activity_id: 3, activity_name: "Update" };

/** An OCSF event with every field that its class requires; body and chain place are `unmapped`. */
export function toOcsf(row: AuditRow, version: string): object {
  const facts = exportFactsOf(row);
  const kind = classes[row.kind] ?? other;
  const { severity, succeeded, by } = facts;
  return {
    ...kind,
    type_uid: kind.class_uid * 100 + kind.activity_id,
    type_name: `${kind.class_name}: ${kind.activity_name}`,
    time: Date.parse(row.at),
    severity_id: severity,
    severity: severityNames[severity],
    status_id: succeeded ? 1 : 2,
    status: succeeded ? "Success" : "Failure",
    message: facts.words,
    ...(facts.reason === undefined ? {} : { status_detail: facts.reason }),
    metadata: {
      version: ocsfVersion,
      product: { name: "Countersign", vendor_name: "Countersign", version },
      log_name: "audit",
      uid: row.hash,
      sequence: row.seq,
      original_time: row.at,
      ...(row.incidentId === null ? {} : { correlation_uid: row.incidentId }),
    },
    actor: by ? { user: { name: by.login, uid: `${by.id}` } } : { app_name: "countersign" },
    ...(kind.class_uid === processActivity.class_uid
      ? processFields(facts, row)
      : {
          api: { operation: row.kind, service: { name: "countersign" } },
          src_endpoint: { svc_name: "countersign" },
          ...(facts.digest === undefined
            ? {}
            : { resources: [{ type: "command", uid: facts.digest, name: `${facts.number ?? ""}` }] }),
        }),
    unmapped: { kind: row.kind, body: row.body, prev: row.prev, hash: row.hash },
  };
}

/** Several servers are one event; `unmapped` has all runs. */
function processFields(
  { server, place, run, runs = {}, digest, command, ending }: ExportFacts,
  { hash }: AuditRow,
): object {
  const [only, another] = Object.entries(runs);
  const one = another === undefined ? only : undefined;
  const uid = run ?? one?.[1] ?? digest ?? hash;
  return {
    device: { type_id: 1, type: "Server", name: server ?? one?.[0] ?? place ?? "unknown" },
    process: { uid, ...(command === undefined ? {} : { cmd_line: command }) },
    ...(ending?.code === undefined ? {} : { exit_code: ending.code }),
  };
}
