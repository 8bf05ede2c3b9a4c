import { type AuditKind, type ExportFacts, exportFactsOf } from "./events.ts";
import type { Severity } from "./kinds/kind.ts";
import type { AuditRow } from "./rows.ts";

/** The version of the Open Cybersecurity Schema Framework that the events keep to. */
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

/** What runs on a server is a process; all else is something that people, or the bot for them, do through this program. */
const launch: EventClass = { ...processActivity, activity_id: 1, activity_name: "Launch" };
const terminate: EventClass = { ...processActivity, activity_id: 2, activity_name: "Terminate" };
const classes: Readonly<Record<string, EventClass>> = {
  command_dispatched: launch,
  command_executed: terminate,
  command_unknown: terminate,
  command_proposed: { ...apiActivity, activity_id: 1, activity_name: "Create" },
} satisfies Partial<Record<AuditKind, EventClass>>;
const other: EventClass = { ...apiActivity, activity_id: 3, activity_name: "Update" };

/** A row as an OCSF event with every field that its class requires. Its body, whole, and its place in the chain are `unmapped`. */
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
    ...(kind.class_uid === processActivity.class_uid ? processFields(facts, row) : apiFields(facts, row)),
    unmapped: { kind: row.kind, body: row.body, prev: row.prev, hash: row.hash },
  };
}

/** On several servers it is one approval and one event: the runs of all of them stand in `unmapped`. */
function processFields(
  { server, place, run, runs = {}, digest, command, ending }: ExportFacts,
  { hash }: AuditRow,
): object {
  const [only, another] = Object.entries(runs);
  const one = another === undefined ? only : undefined;
  const uid = run ?? one?.[1] ?? digest ?? hash;
  return {
    // 1: a server.
    device: { type_id: 1, type: "Server", name: server ?? one?.[0] ?? place ?? "unknown" },
    process: { uid, ...(command === undefined ? {} : { cmd_line: command }) },
    ...(ending?.code === undefined ? {} : { exit_code: ending.code }),
  };
}

const apiFields = ({ number, digest }: ExportFacts, { kind }: AuditRow): object => ({
  api: { operation: kind, service: { name: "countersign" } },
  src_endpoint: { svc_name: "countersign" },
  ...(digest === undefined ? {} : { resources: [{ type: "command", uid: digest, name: `${number ?? ""}` }] }),
});
