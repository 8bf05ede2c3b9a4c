import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../../src/base/clock.ts";
import type { Asked, Told } from "./engineer.ts";

/** As long as a play by hand may wait for one answer. */
const patienceMs = 90 * 60_000;

const shared = (one: readonly unknown[], other: readonly unknown[]): number => {
  const at = one.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(other[index]));
  return at < 0 ? one.length : at;
};

/** What a reader of one request has not read before: the messages behind those that an earlier one began with, and the tools once. */
export function readable(asked: Asked, earlier: readonly Asked[]): string {
  const from = Math.max(0, ...earlier.map(({ messages }) => shared(messages, asked.messages)));
  const tools = JSON.stringify(asked.tools ?? []);
  const isToolsNew = !earlier.some((one) => JSON.stringify(one.tools ?? []) === tools);
  return [
    `tools: ${(asked.tools ?? []).map(({ function: { name } }) => name).join(", ") || "none"}`,
    ...(isToolsNew ? (asked.tools ?? []).map((tool) => JSON.stringify(tool.function)) : []),
    `${from} messages are those of an earlier request.`,
    ...asked.messages.slice(from).map(({ role, content, ...rest }) => {
      const more = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : "";
      return `===== ${role}\n${content}${more}`;
    }),
  ].join("\n\n");
}

/** Writes each request into the folder as `request-N.json` and `request-N.md`, and answers by the `reply-N.json` that somebody puts beside it. */
export function hand(folder: string): (asked: Asked) => Promise<Told> {
  mkdirSync(folder, { recursive: true });
  const earlier: Asked[] = [];
  return async (asked) => {
    writeFileSync(join(folder, `request-${earlier.length + 1}.json`), JSON.stringify(asked, null, 2));
    writeFileSync(join(folder, `request-${earlier.length + 1}.md`), readable(asked, earlier));
    earlier.push(asked);
    const reply = join(folder, `reply-${earlier.length}.json`);
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      if (existsSync(reply)) {
        try {
          return JSON.parse(readFileSync(reply, "utf8")) as Told;
        } catch {
          // It is still being written.
        }
      }
      await sleep(200);
    }
    throw new Error(`nobody has answered ${reply}`);
  };
}
