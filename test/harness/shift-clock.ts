/** Loaded before a program as `shift-clock.ts?file=FILE`: its clock runs ahead of this machine's by the milliseconds in that file. */

import { readFileSync } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file") ?? "";
const right = Date.now;
let byMs = 0;

function read(): void {
  try {
    byMs = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // It is being written: as it was.
  }
}

read();
setInterval(read, 5).unref();
const now = (): number => right() + byMs;
globalThis.Date = new Proxy(Date, {
  apply: (date) => new date(now()).toString(),
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
  get: (date, name, own) => (name === "now" ? now : Reflect.get(date, name, own)),
});
