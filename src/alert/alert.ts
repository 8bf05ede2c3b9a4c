import * as z from "zod";

const texts = z.record(z.string(), z.string());
/** In ISO 8601; nothing where the source does not say. */
const time = z.string().nullable();

/**
 * What a monitoring system says of one group of alerts, as every source of alerts is read (docs/alerts.md). All of it was written by
 * others: it is data, to show and to fill in, and never a command.
 */
export const alertSchema = z.object({
  /** What the source calls the group: one issue stands for it. */
  key: z.string(),
  state: z.enum(["firing", "resolved"]),
  title: z.string(),
  severity: z.string().nullable(),
  startedAt: time,
  /** The source's own name for this one message, and when it says that this happened. */
  eventId: z.string().nullable(),
  at: time,
  /** Equal for a message that is sent once more, by a source that has no name for it. */
  digest: z.string(),
  /** What all alerts of the group have in common. */
  labels: texts,
  annotations: texts,
  /** The alerts of the group, as many as are shown, with what only they have. */
  alerts: z.array(z.object({ state: z.string(), startedAt: time, labels: texts, annotations: texts })),
  firing: z.number(),
  total: z.number(),
  links: z.array(z.object({ words: z.string(), url: z.string() })),
  /** What else the source sent. */
  rest: z.record(z.string(), z.unknown()),
});
export type Alert = Readonly<z.output<typeof alertSchema>>;
