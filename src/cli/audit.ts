import { existsSync, readFileSync } from "node:fs";
import { counted } from "../base/words.ts";
import type { Config } from "../config/values.ts";
import { verdictSchema } from "../features/operator/local.ts";
import { verifyPasskeys } from "../features/passkey/passkey.ts";
import type { AuditRow } from "../store/audit/chain.ts";
import { type Checkpoint, readNotary, readUnsigned } from "../store/audit/checkpoint.ts";
import type { AuditFormat } from "../store/audit/export.ts";
import { askStore, printAnswer } from "./local.ts";
import { momentIn } from "./options.ts";
import { readPlaces } from "./places.ts";

interface VerifyOptions {
  readonly config?: string | undefined;
  readonly passkeys?: boolean | undefined;
}

/** Checks the audit's chain and the operator's checkpoint; true if both are intact (SR-64, SR-66). */
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

async function* rowsOf(options: VerifyOptions): AsyncGenerator<AuditRow> {
  // Pieces hold whole lines.
  for await (const text of askStore(options, { ask: "audit", format: "jsonl" }))
    for (const line of text.split("\n")) if (line !== "") yield JSON.parse(line) as AuditRow;
}

/** A text if the file holds no checkpoint of this audit. */
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
  readonly incident?: number | undefined;
  /** RFC 3339, or a day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Prints rows, one a line, oldest first. Throws an `OperatorError` for an invalid time. */
export async function auditExport(options: ExportOptions): Promise<void> {
  const about = {
    repo: options.repo,
    issue: options.incident,
    since: momentIn("--since", options.since)?.toISOString(),
    until: momentIn("--until", options.until)?.toISOString(),
  };
  await printAnswer(options, { ask: "audit", format: options.format, ...about });
}
