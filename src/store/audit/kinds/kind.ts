import * as z from "zod";

/** As OCSF counts: 1 informational … 4 high. */
export type Severity = 1 | 2 | 3 | 4;

interface Weight {
  readonly severity?: Severity;
  /** A person wanted it and did not get it. */
  readonly refused?: true;
}

/** `means` also stands in docs/audit.md. */
export const kind = <Body extends z.ZodType>(means: string, body: Body, weight: Weight = {}) => ({
  means,
  body,
  ...weight,
});

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const person = z.object({ id: z.number(), login: z.string() });
export const member = person.extend({ role: z.string(), teams: list(z.string()).optional() });
export const sourceComment = z.object({
  id: z.number(),
  nodeId: z.string(),
  sha256: z.string(),
  writtenAt: z.string().optional(),
});
export const ofCommand = z.object({ number: z.number(), digest: z.string() });
export const onIssue = z.object({ repo: z.string(), repoId: z.number(), issue: z.number() });

/** An authenticator's answer, base64url (WebAuthn Level 3, §5.2.2). */
export const assertion = z.object({
  id: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
});
export type Assertion = z.output<typeof assertion>;
/** Enough to verify a person's presence years later. */
export const proof = z.object({ assertion, publicKey: z.string(), origin: z.string() });
export type Proof = z.output<typeof proof>;
