import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { writeNow } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Store } from "../database/open.ts";

/** The audit's length and last hash. Kept outside, it proves that a store was rewritten (SR-66). */
export interface Checkpoint {
  readonly size: number;
  /** Hex, at least its first 16 digits; empty for an empty audit. */
  readonly head: string;
}

/** C2SP signed notes: origin, size and head on a line each, then the signature. */
export interface Notary {
  readonly sign: (checkpoint: Checkpoint) => string;
  /** Returns undefined if the note is not ours or its signature is wrong. */
  readonly read: (note: string) => Checkpoint | undefined;
}

const origin = "countersign/audit";

/** Throws if the key is not Ed25519 in PEM. */
export function createNotary(signingKey: string): Notary {
  let privateKey: KeyObject | undefined;
  try {
    privateKey = createPrivateKey(signingKey);
  } catch {
    // The error below says what a key must be.
  }
  if (privateKey?.asymmetricKeyType !== "ed25519")
    throw new Error(
      `the audit's signing key must be an Ed25519 key${privateKey ? "" : ", in PEM and without a passphrase"}`,
    );
  const key = privateKey;
  const publicKey = createPublicKey(key);
  const id = keyId(publicKey);
  return {
    sign: (checkpoint) => {
      const text = checkpointText(checkpoint);
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]);
      return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
    },
    read: (note) => {
      const match = /^([^\n]+)\n(\d{1,15})\n([0-9a-f]{64})?\n\n— (\S+) ([A-Za-z0-9+/=]+)\n$/.exec(note);
      if (!match || match[1] !== origin || match[4] !== origin) return undefined;
      const checkpoint = { size: Number(match[2]), head: match[3] ?? "" };
      const signed = Buffer.from(match[5] ?? "", "base64");
      const ours = signed.subarray(0, 4).equals(keyId(publicKey));
      return ours && verify(null, Buffer.from(checkpointText(checkpoint)), publicKey, signed.subarray(4))
        ? checkpoint
        : undefined;
    },
  };
}

/** Throws an `OperatorError` if the file has no usable key. */
export function readNotary(file: string): Notary {
  try {
    return createNotary(readFileSync(file, "utf8"));
  } catch (error) {
    const remedy = `make one: openssl genpkey -algorithm ed25519 -out ${file} && chmod 600 ${file}`;
    throw new OperatorError([{ place: "audit.signing_key_file", message: messageOf(error), remedy }]);
  }
}

/** Reads an unsigned note, which still shows that a store fell behind. */
export function readUnsigned(text: string): Checkpoint | undefined {
  const match = /^([^\n]+)\n(\d{1,15})\n([0-9a-f]{64})?\n/.exec(text);
  return match?.[1] === origin ? { size: Number(match[2]), head: match[3] ?? "" } : undefined;
}

export const checkpointText = ({ size, head }: Checkpoint): string => `${origin}\n${size}\n${head}\n`;

/** The key's id in a signed note. */
function keyId(publicKey: KeyObject): Buffer {
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  return createHash("sha256")
    .update(Buffer.concat([Buffer.from(`${origin}\n\u0001`), raw]))
    .digest()
    .subarray(0, 4);
}

export async function readHead(db: Db | Tx): Promise<Checkpoint> {
  await writeNow(db, "audit");
  const { seq, hash } = await db.selectFrom("auditHead").selectAll().where("one", "=", 1).executeTakeFirstOrThrow();
  return { size: seq, head: hash };
}

export async function readHeadAfter(
  db: Db,
  before: Checkpoint,
): Promise<{ readonly head: Checkpoint; readonly contradicts: boolean }> {
  const { rows } = await sql<{ seq: number; hash: string; before: string | null }>`
    select seq, hash, (select hash from audit where seq = ${before.size}) as before from audit_head where one = 1`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error("the audit has lost its head");
  const contradicts = before.size > 0 && faultOf(before, row.before ?? undefined) !== undefined;
  return { head: { size: row.seq, head: row.hash }, contradicts };
}

/** Arbitrary, but the same in every process. */
const lockKey = 7_203_115;

/** Runs `work` alone among all processes, so that it reads no older audit end than another has. An embedded store has one process. */
export const aloneWithHead = <T>(store: Store, work: (db: Db | Tx) => Promise<T>): Promise<T> =>
  store.kind === "embedded"
    ? work(store.db)
    : store.transaction(async (tx) => {
        await sql`select pg_advisory_xact_lock(${lockKey})`.execute(tx);
        return work(tx);
      });

/** Says how the audit contradicts a checkpoint, as a rewritten chain does. */
export async function contradiction(db: Db | Tx, checkpoint: Checkpoint): Promise<string | undefined> {
  if (checkpoint.size === 0) return undefined;
  const row = await db.selectFrom("audit").select("hash").where("seq", "=", checkpoint.size).executeTakeFirst();
  return faultOf(checkpoint, row?.hash);
}

function faultOf(checkpoint: Checkpoint, hash: string | undefined): string | undefined {
  if (hash === undefined)
    return `the checkpoint saw ${checkpoint.size} rows, the audit has fewer: its end is missing, or an older store was restored`;
  if (checkpoint.head.length < 16 || !hash.startsWith(checkpoint.head))
    return `row ${checkpoint.size} is not the one that the checkpoint saw: the audit was rewritten`;
  return undefined;
}
