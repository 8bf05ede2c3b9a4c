import * as z from "zod";
import type { Fields } from "../base/json.ts";
import {
  addressedLinks,
  firstOf,
  keyText,
  labelTexts,
  messageDigest,
  most,
  type ParsedAlert,
  refusedBy,
  timeText,
  without,
} from "./reading.ts";

const shape = {
  key: keyText,
  status: z.enum(["firing", "resolved"]),
  title: z.string().min(1),
  severity: z.string().nullish(),
  started: timeText.nullish(),
  id: keyText.nullish(),
  at: timeText.nullish(),
  labels: labelTexts.default({}),
  annotations: labelTexts.default({}),
  links: labelTexts.default({}),
};
const schema = z.object(shape);
const known = Object.keys(shape);

/** Reads our own form, for whatever can send JSON (docs/alerts.md). */
export function parsePlain(body: Fields): ParsedAlert {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return refusedBy(parsed.error, known);
  const { key, status, title, labels, annotations, id = null, at = null, started = null } = parsed.data;
  return {
    kind: "alert",
    alert: {
      key,
      state: status,
      title,
      severity: parsed.data.severity ?? labels.severity ?? null,
      startedAt: started,
      eventId: id,
      at,
      digest: messageDigest(["json", id ?? body]),
      labels: firstOf(labels, most.labels),
      annotations: firstOf(annotations, most.annotations),
      alerts: [],
      firing: status === "firing" ? 1 : 0,
      total: 1,
      links: addressedLinks(Object.entries(parsed.data.links).map(([words, url]) => ({ words, url }))),
      rest: without(body, known),
    },
  };
}
