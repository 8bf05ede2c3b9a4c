import { createHash } from "node:crypto";
import * as z from "zod";
import type { Fields } from "../base/json.ts";
import type { Alert } from "./alert.ts";

/** What a body turned out to be. `why` carries nothing that its sender wrote. */
export type ParsedAlert =
  | { readonly kind: "alert"; readonly alert: Alert }
  /** Well formed, and about nothing that an issue is opened for. */
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

/** How much of one alert is kept: more of it than anybody reads. */
export const most = { alerts: 20, labels: 64, annotations: 32, links: 12 } as const;

/** As long as a source's own key or name may be. */
export const keyText = z.string().min(1).max(4_096);
/** Sources write "no time" as the year 1, or leave it empty. */
export const timeText = z
  .string()
  .refine((text) => text === "" || !Number.isNaN(Date.parse(text)))
  .transform((text) => (text === "" || Date.parse(text) <= 0 ? null : new Date(text).toISOString()));
export const labelTexts = z.record(z.string().max(1_024), z.string());

/** Bounds how many; which are kept goes by their order. */
export const firstOf = (texts: Readonly<Record<string, string>>, count: number): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).slice(0, count));

/** The fields of a body that nothing else is made of. */
export const without = (body: Fields, known: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !known.includes(name)));

export const messageDigest = (parts: unknown): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The links that have an address, each once. */
export const addressedLinks = (links: readonly { readonly words: string; readonly url: unknown }[]): Alert["links"] => {
  const named = links.flatMap(({ words, url }) => (typeof url === "string" && url !== "" ? [{ words, url }] : []));
  return [...new Map(named.map((link) => [link.url, link])).values()].slice(0, most.links);
};

/** Says which field is not as it should be, by our own names for fields alone. */
export function refusedBy(error: z.ZodError, fields: readonly string[]): ParsedAlert {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" || fields.includes(String(part)) ? String(part) : "…",
  );
  const missing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  return { kind: "refused", why: `\`${path.join(".")}\` ${missing ? "is missing" : "is not what it should be"}` };
}
