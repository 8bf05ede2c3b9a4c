/** Loaded before a program: its clock shows as many ms more than this machine's as the file says that `CLOCK_SHIFT` names. */

import { readFileSync } from "node:fs";

const { CLOCK_SHIFT: file } = process.env;
const right = Date.now;
let byMs = 0;

function read(): void {
  try {
    byMs = Number(readFileSync(file ?? "", "utf8")) || 0;
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
