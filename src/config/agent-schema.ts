import * as z from "zod";
import { repositoryName, section } from "./schema-leaves.ts";

const count = (fallback: number) => z.int().positive().default(fallback);

/** What one agent may propose, over all issues. */
const caps = { open_proposals: count(5), proposals_per_hour: count(20) };

/** An agent that calls by MCP (docs/agents.md). */
const caller = z.strictObject({
  // Of its token over HTTP, or of two while it is being changed; without one it calls on this machine only.
  token_sha256: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256: 64 digits 0-9 a-f"))
    .max(2)
    .default([]),
  repositories: z.array(repositoryName).min(1),
  servers: z.array(z.string().min(1)).min(1),
  calls_per_minute: count(60),
  ...caps,
});
const callerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "cannot name an agent: a lower-case letter, then letters, digits and `-`");

/** `policy.proposers`: other agents, which propose and never approve. */
export const proposers = section({
  apps: z.array(z.int().positive()).default([]),
  users: z.array(z.strictObject({ login: z.string().min(1), id: z.int().positive() })).default([]),
  mcp: z.record(callerName, caller).default({}),
  ...caps,
});
