import { describe, expect, it } from "vitest";
import { createSsh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { Sshd } from "../harness/sshd.ts";
import { inventory } from "./inventory-entry.ts";
import { entryOf, sshdFor } from "./real-host.ts";

const started = await sshdFor("test/ssh/output.long.test.ts");

describe.runIf(started !== undefined)("an endless output", () => {
  const sshd = started as Sshd;

  it("RR-19 F-31 1 GB of one line is read to its end in under 150 MB more memory", async () => {
    const entry = entryOf(sshd);
    const ssh = createSsh({ servers: inventory(entry) });
    const before = process.memoryUsage().rss;
    let most = 0;
    const { ending, capture } = await ssh.exec(
      { server: entry, wrapped: wrap(entry, "head -c 1073741824 /dev/zero", "linux") },
      {
        signal: new AbortController().signal,
        onOutput: () => {
          most = Math.max(most, process.memoryUsage.rss());
        },
      },
    );
    await ssh.close();
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect([capture.bytes, capture.head.length + capture.tail.length]).toEqual([2 ** 30, 16 * 2 ** 20]);
    expect((most - before) / 2 ** 20).toBeLessThan(150);
  });
});
