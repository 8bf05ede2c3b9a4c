import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { sealIntent, writeCheckpoint } from "../../../src/features/verify/restored.ts";
import { appendAudit } from "../../../src/store/audit/chain.ts";
import { type Checkpoint, checkpointText, readHead, readUnsigned } from "../../../src/store/audit/checkpoint.ts";
import { openStore, type Store } from "../../../src/store/database/open.ts";
import { useFolder } from "../../harness/use-started.ts";
import { places } from "../../store/fresh.ts";

const log = pino({ enabled: false });
const folder = useFolder();

describe.each(await places("one checkpoint file that several processes keep"))(
  "the checkpoint file ($kind)",
  (place) => {
    let stores: readonly Store[];
    let file: string;
    afterAll(() => place.remove());
    beforeEach(async () => {
      file = join(mkdtempSync(join(folder, "outside-")), "checkpoint");
      const url = await place.create();
      const first = await openStore(url);
      stores = place.kind === "server" ? [first, await openStore(url)] : [first];
    });
    afterEach(() => Promise.all(stores.map((store) => store.close())));
    const worldOn = (store: Store) => ({
      store,
      log,
      notary: undefined,
      config: { roles: ["runner" as const], audit: { checkpointFile: file, signingKeyFile: undefined } },
    });
    const seen = (): Checkpoint | undefined => readUnsigned(readFileSync(file, "utf8"));
    const append = (store: Store): Promise<number> =>
      store.transaction(async (tx) => {
        await appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: "k", reason: "" } });
        return (await readHead(tx)).size;
      });
    const storeOf = (n: number): Store => {
      const store = stores[n % stores.length];
      if (!store) throw new Error("there is no store");
      return store;
    };

    it("RR-24 SR-66 knows of each intent when its sender goes on, and never of less than before, however many write it", async () => {
      await writeCheckpoint(worldOn(storeOf(0)));
      let over = false;
      const sizes: number[] = [];
      const watched = (async () => {
        for (; !over; await turn()) {
          const size = seen()?.size;
          if (size !== undefined && size !== sizes.at(-1)) sizes.push(size);
        }
      })();
      const send = async (n: number): Promise<void> => {
        for (let sent = 0; sent < 25; sent++) {
          const intent = await append(storeOf(n));
          expect(await sealIntent(worldOn(storeOf(n)))).toBeUndefined();
          expect(seen()?.size).toBeGreaterThanOrEqual(intent);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, n) => send(n)));
      over = true;
      await watched;
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      expect(seen()).toEqual(await readHead(storeOf(0).db));
      expect(readdirSync(dirname(file))).toEqual(["checkpoint"]);
    });

    it("RR-24 that has seen more than the store stays as it is, and nothing may be sent", async () => {
      await append(storeOf(0));
      const later = checkpointText({ size: 1_000, head: "a".repeat(64) });
      writeFileSync(file, later);
      expect(await sealIntent(worldOn(storeOf(0)))).toBe("the audit's checkpoint file cannot be written");
      await expect(writeCheckpoint(worldOn(storeOf(0)))).rejects.toThrow("an older store was restored");
      expect(readFileSync(file, "utf8")).toBe(later);
      // Once that was told, the store counts.
      await writeCheckpoint(worldOn(storeOf(0)), true);
      expect(await sealIntent(worldOn(storeOf(0)))).toBeUndefined();
      expect(seen()).toEqual(await readHead(storeOf(0).db));
    });

    it("SR-63 on a disk that does not answer keeps whoever sends waiting for seconds, and then nothing is sent", async () => {
      // A pipe without another end takes as long as it likes.
      execFileSync("mkfifo", [file]);
      expect(await sealIntent(worldOn(storeOf(0)))).toBe("the audit's checkpoint file cannot be written");
      writeFileSync(file, "");
    });
  },
);
