/** Asks Prometheus and Loki a query. */

import type { IncomingMessage } from "node:http";
import { messageOf } from "../base/errors.ts";
import type { Source } from "../base/server.ts";
import { openSource, sendRequest } from "./connect.ts";
import type { QueryPlan } from "./parse-query.ts";
import { readSeries } from "./read-series.ts";
import { renderAnswer } from "./render.ts";
import type { OpenedWay, SourceAnswer, WayOptions } from "./way.ts";

/** Opens the connection of one query. Never throws. */
export async function openQuery(source: Source, { wrapped, token, signal }: WayOptions): Promise<OpenedWay> {
  const opened = await openSource(source, signal);
  if (!opened.ok) return { ok: false, reason: `cannot be reached: ${opened.reason}` };
  const { socket } = opened;
  const plan: QueryPlan = JSON.parse(wrapped);
  const isOpen = (): boolean => !socket.destroyed;
  const ask = async (timeoutMs: number): Promise<SourceAnswer> => {
    const now = plan.until === undefined ? new Date() : new Date(plan.until);
    try {
      const response = await sendRequest(source, {
        socket,
        method: "POST",
        path: `${source.kind === "loki" ? "/loki" : ""}/api/v1/${plan.call}`,
        body: formOf(plan, source, now, timeoutMs).toString(),
        token,
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          ...(source.tenant === undefined ? {} : { "x-scope-orgid": source.tenant }),
        },
      });
      return answerOf(await textOf(response, source), response.statusCode ?? 0, { plan, source, now });
    } catch (thrown) {
      return { kind: "lost", text: `The answer did not come: ${messageOf(thrown)}` };
    }
  };
  return { ok: true, way: { isOpen, isFresh: isOpen, ask, close: () => socket.destroy() } };
}

/** The whole text of an answer; undefined for one that is longer than allowed, of which no more is read. */
async function textOf(response: IncomingMessage, { maxBytes }: Source): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function formOf(plan: QueryPlan, source: Source, now: Date, timeoutMs: number): URLSearchParams {
  const { call, query, sinceMs = 0, stepMs = 0, limit } = plan;
  const times: Record<string, string> =
    call === "query"
      ? { time: now.toISOString() }
      : {
          start: new Date(now.getTime() - sinceMs).toISOString(),
          end: now.toISOString(),
          step: String(stepMs / 1000),
        };
  // A Prometheus before 3 knows no limit of series; what it answers is counted all the same.
  const own: Record<string, string> =
    source.kind === "loki"
      ? { limit: String(limit), direction: "backward" }
      : { limit: String(source.maxSeries + 1), timeout: `${Math.ceil(timeoutMs / 1000)}s` };
  return new URLSearchParams({ query, ...times, ...own });
}

function answerOf(
  text: string | undefined,
  status: number,
  { plan, source, now }: { readonly plan: QueryPlan; readonly source: Source; readonly now: Date },
): SourceAnswer {
  if (text === undefined)
    return {
      kind: "refused",
      text: `The answer is longer than ${source.maxBytes} bytes, so it is not shown. Write \`topk(10, …)\`, \`sum by (job) (…)\`, a shorter range or a longer step.`,
    };
  const read = readSeries(text, status, source);
  return read.ok
    ? { kind: "answered", text: renderAnswer(read.answer, plan, now) }
    : { kind: "refused", text: read.why };
}
