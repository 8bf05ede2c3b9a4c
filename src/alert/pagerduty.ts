import * as z from "zod";
import type { Fields } from "../base/json.ts";
import { addressedLinks, keyText, messageDigest, type ParsedAlert, refusedBy, timeText, without } from "./reading.ts";

const summarized = z.object({ summary: z.string().nullish() }).nullish();
const dataShape = {
  id: keyText,
  title: z.string(),
  html_url: z.string().nullish(),
  created_at: timeText.nullish(),
  urgency: z.string().nullish(),
  service: summarized,
  priority: summarized,
};
const eventShape = { id: keyText, event_type: z.string(), occurred_at: timeText.nullish() };
const typeSchema = z.object({ event: z.object(eventShape) });
const incidentSchema = z.object({ event: z.object({ ...eventShape, data: z.object(dataShape) }) });

const known = ["id", "title", "html_url", "created_at", "urgency", "service", "priority", "type", "self"];
const fields = ["event", "data", ...Object.keys(eventShape), ...Object.keys(dataShape), "summary"];

/** What an event makes of the incident; of any other, as when somebody acknowledges it, nothing follows. */
const states: ReadonlyMap<string, "firing" | "resolved"> = new Map([
  ["incident.triggered", "firing"],
  ["incident.reopened", "firing"],
  ["incident.resolved", "resolved"],
]);

/** Reads a PagerDuty webhook, version 3. */
export function parsePagerDuty(body: Fields): ParsedAlert {
  const typed = typeSchema.safeParse(body);
  if (!typed.success) return refusedBy(typed.error, fields);
  const state = states.get(typed.data.event.event_type);
  if (state === undefined) return { kind: "ignored", why: "this event type opens and resolves nothing" };
  const parsed = incidentSchema.safeParse(body);
  if (!parsed.success) return refusedBy(parsed.error, fields);
  const { event } = parsed.data;
  const { data } = event;
  const named = {
    service: data.service?.summary,
    priority: data.priority?.summary,
    urgency: data.urgency,
  };
  const labels = Object.entries(named).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  const { data: rest } = (body as { readonly event: { readonly data: Fields } }).event;
  return {
    kind: "alert",
    alert: {
      key: data.id,
      state,
      title: data.title,
      severity: named.priority ?? named.urgency ?? null,
      startedAt: data.created_at ?? null,
      eventId: event.id,
      at: event.occurred_at ?? null,
      digest: messageDigest(["pagerduty", event.id]),
      labels: Object.fromEntries(labels),
      annotations: {},
      alerts: [],
      firing: state === "firing" ? 1 : 0,
      total: 1,
      links: addressedLinks([{ words: "PagerDuty", url: data.html_url }]),
      rest: without(rest, known),
    },
  };
}
