import * as z from "zod";

const texts = z.record(z.string(), z.string());
/** ISO 8601. */
const time = z.string().nullable();

/** A message about one group of alerts (docs/alerts.md). Others wrote all of it: it is data and never a command. */
export const alertSchema = z.object({
  /** The source's name for the group. */
  key: z.string(),
  state: z.enum(["firing", "resolved"]),
  title: z.string(),
  severity: z.string().nullable(),
  startedAt: time,
  /** The source's name and time for this message. */
  eventId: z.string().nullable(),
  at: time,
  /** Recognizes a repeated message without event name. */
  digest: z.string(),
  /** Shared by all alerts of the group. */
  labels: texts,
  annotations: texts,
  /** With what only they have. */
  alerts: z.array(z.object({ state: z.string(), startedAt: time, labels: texts, annotations: texts })),
  firing: z.number(),
  total: z.number(),
  links: z.array(z.object({ words: z.string(), url: z.string() })),
  rest: z.record(z.string(), z.unknown()),
});
export type Alert = Readonly<z.output<typeof alertSchema>>;
