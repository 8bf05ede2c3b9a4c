import { existsSync, readFileSync } from "node:fs";
import { counted } from "../base/counted.ts";
import type { Config } from "../config/load.ts";
import { verdictSchema } from "../features/operator/local.ts";
import { verifyPasskeys } from "../features/passkey/audit.ts";
import { type Checkpoint, readNotary, readUnsigned } from "../store/audit/checkpoint.ts";
import type { AuditFormat } from "../store/audit/export.ts";
import type { AuditRow } from "../store/audit/rows.ts";
import { askStore, printAnswer } from "./local.ts";
import { momentIn } from "./options.ts";
import { readPlaces } from "./places.ts";

interface VerifyOptions {
  readonly config?: string | undefined;
  /** Also the signature behind each approval by passkey. */
  readonly passkeys?: boolean | undefined;
}

/** Checks the chain of the audit, and compares it with the operator's checkpoint file; true if both are intact (SR-64, SR-66). */
export async function auditVerify(options: VerifyOptions): Promise<boolean> {
  const { audit } = readPlaces(options.config);
  const seen = readCheckpoint(audit);
  const checkpoint = typeof seen === "object" ? seen : undefined;
  let answer = "";
  for await (const text of askStore(options, { ask: "verify", ...(checkpoint && { checkpoint }) })) answer += text;
  const { rows, head, faults: found } = verdictSchema.parse(JSON.parse(answer));
  const isMissing = seen === undefined && audit.checkpointFile !== undefined && rows > 0;
  const signed = options.passkeys ? await verifyPasskeys(rowsOf(options)) : undefined;
  const faults = [
    ...found,
    ...(signed?.faults ?? []),
    ...(typeof seen === "string" ? [seen] : []),
    ...(isMissing
      ? [
          `${audit.checkpointFile} is missing; the bot writes it at its start, each minute, before a command and when it stops`,
        ]
      : []),
  ];
  const agrees = checkpoint ? `; it agrees with ${audit.checkpointFile}` : "";
  if (faults.length === 0) console.log(`the audit holds: ${counted(rows, "row")}, head ${head}${agrees}`);
  if (signed && faults.length === 0) console.log(`passkeys: ${counted(signed.verified, "signature")} verified`);
  for (const fault of faults) console.error(`the audit does NOT hold: ${fault}`);
  return faults.length === 0;
}

/** All rows, oldest first, as `audit export` prints them. */
async function* rowsOf(options: VerifyOptions): AsyncGenerator<AuditRow> {
  // Each piece has whole lines, and each line is a row of the store.
  for await (const text of askStore(options, { ask: "audit", format: "jsonl" }))
    for (const line of text.split("\n")) if (line !== "") yield JSON.parse(line) as AuditRow;
}

/** The operator's checkpoint; undefined if there is none yet, a text if the file holds no checkpoint of this audit. */
function readCheckpoint({ checkpointFile, signingKeyFile }: Config["audit"]): Checkpoint | string | undefined {
  if (checkpointFile === undefined || !existsSync(checkpointFile)) return undefined;
  const note = readFileSync(checkpointFile, "utf8");
  const checkpoint = signingKeyFile === undefined ? readUnsigned(note) : readNotary(signingKeyFile).read(note);
  return checkpoint ?? `${checkpointFile} is not a checkpoint of this audit, or its signature does not match`;
}

export interface ExportOptions {
  readonly config?: string | undefined;
  readonly format: AuditFormat;
  /** `owner/name` */
  readonly repo?: string | undefined;
  /** The issue's number. */
  readonly incident?: number | undefined;
  /** RFC 3339, or a day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Prints the selected rows of the audit, one a line, oldest first, as fast as they are read. Throws an `OperatorError` for an invalid
 * time.
 */
export async function auditExport(options: ExportOptions): Promise<void> {
  const about = {
    repo: options.repo,
    issue: options.incident,
    since: momentIn("--since", options.since)?.toISOString(),
    until: momentIn("--until", options.until)?.toISOString(),
  };
  await printAnswer(options, { ask: "audit", format: options.format, ...about });
}
