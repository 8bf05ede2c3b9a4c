import { sql } from "kysely";
import type { Db } from "../../../src/store/database/connection.ts";

/** What SQL cannot say of a column: which of our types it holds. Every jsonb column is here. */
const typeOf: Readonly<Record<string, string>> = {
  "job.data": "object",
  "incident.labels": "readonly string[]",
  "incident.helped": "readonly number[]",
  "incident.phase": "Phase",
  "incident.confidence": "Confidence",
  "incident.late_said": "Limit",
  "incident_changes.services": "readonly string[]",
  "incident_changes.changes": "readonly RepoChange[]",
  "incident_changes.unseen": "readonly string[]",
  "session.instructions": "readonly SessionInstruction[]",
  "message.message": "ChatMessage",
  "turn.confidence": "Confidence",
  "turn.phase": "Phase",
  "turn.suggestions": "readonly string[]",
  "turn.runbooks": "readonly KnownLink[]",
  "turn.notes": "readonly string[]",
  "turn.similar_incident": "SimilarIncident",
  "hypothesis.for_runs": "readonly number[]",
  "hypothesis.against_runs": "readonly number[]",
  "question.choices": "readonly string[]",
  "action.state": "ActionState",
  "action.spec": "ActionSpec",
  "action.findings": "readonly Finding[]",
  "action.kept": "KeptAction",
  "pull_request.seen": "PullRequestState",
  "lease.servers": "readonly string[]",
  "passkey_page.assertion": "Assertion",
  "batch.numbers": "readonly number[]",
  "run.ending": "Ending",
  "run.outcome": "Outcome",
  "server_line.servers": "readonly string[]",
  "schedule_run.steps": "readonly ScheduledStep[]",
  "reaction.content": '"eyes" | "rocket" | "confused" | "-1"',
  "label.wanted": "readonly string[]",
  "label.spare": "readonly string[]",
  "label.shown": "readonly string[]",
  "write_budget.late_by": "Limit",
  "write_wait.urgency": "Urgency",
};

/** Where these types are declared, as src/store/database/tables.ts imports them. */
const imports: Readonly<Record<string, readonly string[]>> = {
  kysely: ["ColumnType", "Generated"],
  "../../base/action.ts": ["ActionState"],
  "../../base/agent.ts": ["ChatMessage", "Confidence", "Phase"],
  "../../base/github.ts": ["PullRequestState", "RepoChange"],
  "../../base/risk.ts": ["Finding"],
  "../../base/run.ts": ["Ending", "Outcome", "ScheduledStep"],
  "../actions.ts": ["ActionSpec", "KeptAction"],
  "../audit/kinds.ts": ["Assertion"],
  "../incidents.ts": ["SessionInstruction"],
  "../outbox/urgency.ts": ["Limit", "Urgency"],
  "../past-incidents.ts": ["SimilarIncident"],
  "../track-record.ts": ["KnownLink"],
};

const plain: Readonly<Record<string, string>> = {
  text: "string",
  uuid: "string",
  bigint: "number",
  integer: "number",
  "double precision": "number",
  boolean: "boolean",
  "timestamp with time zone": "Date",
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** Its own check, e.g. `CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text])))`. */
  readonly check: string | null;
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function printType({ table, name, type, isNullable, hasDefault, check }: Column): string {
  const ours = typeOf[`${table}.${name}`];
  if (type === "jsonb") {
    if (ours === undefined) throw new Error(`${table}.${name} has no type in print-tables.ts`);
    return `${isNullable ? "JsonOrNull" : hasDefault ? "JsonWithDefault" : "Json"}<${ours}>`;
  }
  const words = [...(check?.matchAll(/'([^']+)'::text/g) ?? [])].map(([, word]) => `"${word}"`).join(" | ");
  const held = ours ?? (words || plain[type]);
  if (held === undefined) throw new Error(`${table}.${name} has the unknown type ${type}`);
  const value = isNullable ? `${held} | null` : held;
  return hasDefault ? `Generated<${value}>` : value;
}

/** The tables of a migrated store as the text of `src/store/database/tables.ts`. */
export async function printTables(db: Db): Promise<string> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as is_nullable,
      a.atthasdef or a.attidentity <> '' as has_default, (
        select pg_get_constraintdef(oid) from pg_constraint where contype = 'c' and conrelid = c.oid and conkey = array[a.attnum]
          and pg_get_constraintdef(oid) like '% = ANY (ARRAY[%') as check
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      and c.relname not like 'kysely_%' and c.relname <> 'durability_proof'
    order by c.oid, a.attnum`.execute(db);
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) =>
    [
      `  ${camel(table)}: {`,
      ...columns.map((column) => `    ${camel(column.name)}: ${printType(column)};`),
      "  };",
    ].join("\n"),
  );
  return `${[
    ...Object.entries(imports).map(([from, names]) => `import type { ${names.join(", ")} } from "${from}";`),
    "",
    "type Json<Value> = ColumnType<Value, string, string>;",
    "type JsonWithDefault<Value> = ColumnType<Value, string | undefined, string>;",
    "type JsonOrNull<Value> = ColumnType<Value | null, string | null | undefined, string | null>;",
    "",
    "/**",
    " * The tables as Kysely sees them (camelCase here, snake_case in the database), made from the migrated schema by",
    " * `npx vitest run test/store/database/tables.test.ts -u`; `migrations/0001-tables.sql` says what each column means.",
    " */",
    "export interface Tables {",
    ...tables,
    "}",
  ].join("\n")}\n`;
}
