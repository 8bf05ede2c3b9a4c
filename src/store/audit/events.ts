import * as z from "zod";
import { commandKinds, incidentKinds, person, type Severity, serviceKinds } from "./kinds.ts";

/** Listed in docs/audit.md. */
export const auditKinds = { ...incidentKinds, ...commandKinds, ...serviceKinds } as const;

type Kinds = typeof auditKinds;
export type AuditKind = keyof Kinds;

export type AuditEvent<Kind extends AuditKind = AuditKind> = {
  [K in Kind]: { readonly kind: K; readonly body: z.output<Kinds[K]["body"]> };
}[Kind];

/** Of another version: only the common names are readable (`factsOf`). */
interface UnknownEvent {
  readonly kind: "unknown";
  readonly body: object;
}

export type ReadEvent = AuditEvent | UnknownEvent;

const isKind = (kind: string): kind is AuditKind => Object.hasOwn(auditKinds, kind);

/** Returns `unknown` if the body does not fit its kind. Never throws. */
export function readEvent({ kind, body }: { readonly kind: string; readonly body: object }): ReadEvent {
  const read = isKind(kind) ? auditKinds[kind].body.safeParse(body) : undefined;
  // TypeScript cannot follow the kind's schema through the table.
  return read?.success ? ({ kind, body: read.data } as AuditEvent) : { kind: "unknown", body };
}

const factsSchema = z.object({
  by: person.optional().catch(undefined),
  number: z.number().optional().catch(undefined),
  digest: z.string().optional().catch(undefined),
  server: z.string().optional().catch(undefined),
  place: z.string().optional().catch(undefined),
  run: z.string().optional().catch(undefined),
  runs: z.record(z.string(), z.string()).optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  comment: z.object({ id: z.number(), sha256: z.string() }).optional().catch(undefined),
  commentId: z.number().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  ending: z.object({ kind: z.string(), code: z.number().optional() }).optional().catch(undefined),
});
type EventFacts = z.output<typeof factsSchema>;

/** Fields that have one name in all kinds. */
export const factsOf = ({ body }: ReadEvent): EventFacts => factsSchema.parse(body);

export interface ExportFacts extends EventFacts {
  readonly severity: Severity;
  readonly succeeded: boolean;
  /** `command executed` */
  readonly words: string;
}

export function exportFactsOf(row: Parameters<typeof readEvent>[0]): ExportFacts {
  const facts = factsOf(readEvent(row));
  const { severity, refused }: { severity?: Severity; refused?: true } = isKind(row.kind) ? auditKinds[row.kind] : {};
  const failed = facts.ending !== undefined && facts.ending.code !== 0;
  return {
    ...facts,
    severity: severity ?? (failed ? 2 : 1),
    succeeded: refused !== true && !failed,
    words: row.kind.replaceAll("_", " "),
  };
}
