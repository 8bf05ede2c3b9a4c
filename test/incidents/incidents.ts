import { certificate } from "./certificate.ts";
import { connections } from "./connections.ts";
import type { Incident } from "./engineer.ts";
import { fullDisk } from "./full-disk.ts";
import { metricsAlert } from "./metrics.ts";
import { outOfMemory } from "./out-of-memory.ts";
import { queueBacklog } from "./queue-backlog.ts";
import { renewalRedirected } from "./renewal-redirected.ts";
import { restartLoop } from "./restart-loop.ts";
import { rollout } from "./rollout.ts";
import { twoStepAttack } from "./two-step-attack.ts";
import { wrongTheory } from "./wrong-theory.ts";

/** All that are played, in the order of the table. */
export const incidents: readonly Incident[] = [
  fullDisk,
  restartLoop,
  connections,
  certificate,
  rollout,
  outOfMemory,
  queueBacklog,
  renewalRedirected,
  wrongTheory,
  twoStepAttack,
  metricsAlert,
];
