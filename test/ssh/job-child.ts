import type { Server } from "../../src/base/server.ts";
import { createSsh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import { inventory } from "./inventory-entry.ts";

/** A bot in small, to be killed: runs or finds one job, and prints what came of it as JSON. */
const [given = "", jobId = "", command = "", sentAt = ""] = process.argv.slice(2);
const entry = JSON.parse(given) as Server;
const ssh = createSsh({ servers: inventory(entry) });
const wrapped = wrap(entry, command, "linux", { mode: "job", jobId });
const resume = sentAt === "" ? {} : { resume: { sentAt: new Date(Number(sentAt)) } };
const { ending, capture } = await ssh.exec(
  { server: entry, wrapped, mode: "job", jobId, ...resume },
  { signal: new AbortController().signal, onSent: () => process.stdout.write("sent\n") },
);
await ssh.close();
const { bytes, sha256 } = capture;
process.stdout.write(`${JSON.stringify({ ending, bytes, sha256 })}\n`);
