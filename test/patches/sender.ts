/** A process of its own that sends one patch, so that a test can kill or pause it: a JSON line with order and App in, its end out. */

import { readFileSync } from "node:fs";
import type { ExecOrder } from "../../src/base/run.ts";
import { createPatches } from "../../src/patches/run.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import { gitHubOf } from "./second-app.ts";

interface SentPatch {
  readonly order: ExecOrder;
  readonly app: Parameters<typeof gitHubOf>[0];
}

const { order, app }: SentPatch = JSON.parse(readFileSync(0, "utf8"));
const patches = createPatches({
  github: gitHubOf(app),
  createCapture: () => createCapture(65_536),
  freshMs: 5_000,
  limits: { settleMs: 1_000, lookMs: 50 },
});
const reservation = await patches.reserve(order, new AbortController().signal);
const refused = await reservation.prove();
if (refused !== undefined) throw new Error(refused);
const sent = await reservation.send(Date.now(), {});
if (sent === "stale") throw new Error("it is fresh");
console.log(JSON.stringify({ ending: sent.ending, text: Buffer.from(sent.capture.head).toString() }));
