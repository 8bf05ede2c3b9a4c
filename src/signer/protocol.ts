import * as z from "zod";
import { risks } from "../base/risk.ts";
import type { CertificateAnswer } from "../base/run.ts";
import type { ActionSpec } from "../store/actions.ts";
import type { Assertion } from "../store/audit/kinds.ts";

/**
 * What the bot may ask of the signer, one JSON object a line. The signer believes none of it: the spec only gives the bytes of the digest,
 * and the comments' ids only say where to look on GitHub.
 */

const name = z.string().min(1).max(100);
const count = z.int().nonnegative();
/** The bytes that sshd is to run. */
const bytes = z.string().min(1).max(100_000);
const publicKey = z
  .string()
  .max(4_000)
  .regex(/^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w@.-]+ [A-Za-z0-9+/]+={0,2}$/);

const member = z.looseObject({ command: z.string() });
const target = z.looseObject({
  server: name,
  step: count.optional(),
  host: z.string(),
  port: count,
  jobId: z.string().nullable(),
  wrapped: z.string(),
});
/** What the signer itself reads of it; the digest holds the rest too. */
const spec = z.looseObject({
  number: z.int().positive(),
  repoId: z.int(),
  issueNodeId: z.string(),
  place: z.string(),
  targets: z.array(target).min(1).max(64),
  command: z.string().min(1),
  set: z.array(member).optional(),
  risk: z.enum(risks),
  demands: z
    .array(z.strictObject({ approvals: count.optional(), approvers: z.array(z.string()).max(100).optional() }))
    .optional(),
  expiresAt: z.iso.datetime(),
});

const text = z.string().min(1).max(8_192);
const assertion: z.ZodType<Assertion> = z.strictObject({
  id: text,
  authenticatorData: text,
  clientDataJSON: text,
  signature: text,
});

const startRequest = z.strictObject({
  v: z.literal(1),
  ask: z.literal("start"),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  issue: z.int().positive(),
  spec,
  server: name,
  step: count.optional(),
  approvals: z.array(z.strictObject({ comment: z.int().positive(), passkey: assertion.optional() })).max(20),
  bytes,
  publicKey,
});

const jobId = z.string().regex(/^[A-Za-z0-9]{16,64}$/);
/** A fixed script for a job that the signer let begin. */
const jobRequest = z.strictObject({
  v: z.literal(1),
  ask: z.literal("job"),
  server: name,
  job: z.discriminatedUnion("act", [
    z.strictObject({ act: z.enum(["follow", "settle"]), jobId, offset: count }),
    z.strictObject({ act: z.literal("kill"), jobId, graceMs: z.int().min(0).max(60_000) }),
    z.strictObject({ act: z.enum(["status", "gc"]), jobId }),
  ]),
  bytes,
  publicKey,
});

/** All that the certificate of a `check` runs. */
export const checkCommand = "true";
/** Whether both files say the same about a server: `target` is what the bot would send for that command. */
const checkRequest = z.strictObject({ v: z.literal(1), ask: z.literal("check"), server: name, target, publicKey });

export const signerRequestSchema = z.discriminatedUnion("ask", [startRequest, jobRequest, checkRequest]);

export type StartRequest = Omit<z.output<typeof startRequest>, "spec"> & { readonly spec: ActionSpec };
export type JobScriptRequest = z.output<typeof jobRequest>;

export type CheckRequest = Omit<z.output<typeof checkRequest>, "target"> & { readonly target: object };

export type SignerAnswer = CertificateAnswer;
