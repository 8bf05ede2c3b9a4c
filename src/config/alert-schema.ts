import * as z from "zod";
import { durationKey, path, repositoryName } from "./schema-leaves.ts";

/** The forms in which alerts come (docs/alerts.md). */
const alertKinds = ["alertmanager", "grafana", "pagerduty", "json"] as const;

/** One entry of `alerts.sources` (docs/alerts.md). */
const alertSource = z.strictObject({
  kind: z.enum(alertKinds),
  repository: repositoryName,
  secret_file: path(),
  /** As each product does it unless said otherwise: PagerDuty signs, the others send the secret. */
  auth: z.enum(["bearer", "basic", "hmac"]).optional(),
  /** Where Grafana puts the time that it signs. */
  timestamp_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "is not the name of a header")
    .optional(),
  reopen_within: durationKey("24h"),
  issues_per_hour: z.int().min(1).max(500).default(20),
  messages_per_minute: z.int().min(1).max(10_000).default(300),
  max_body_kb: z.int().min(1).max(10_240).default(1_024),
});
const sourceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "cannot name a source: a lower-case letter, then letters, digits and `-`");

/** `alerts.sources`: by name, which stands in the address. */
export const alertSources = z.record(sourceName, alertSource).default({});
