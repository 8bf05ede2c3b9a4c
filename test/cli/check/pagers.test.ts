import { describe, expect, it } from "vitest";
import { pagersLook } from "../../../src/cli/check/check.ts";
import { surveyed } from "../../config/operator.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";
import { startSink } from "../../pager/sink.ts";

const folder = useFolder();
const write = writerIn(folder);

describe("check of pagers that hear back", () => {
  const sink = useStarted(() => startSink());

  const look = async (url: string) => {
    write("s", "fQ7n2mZx9LpRt4vWc8Yb1KdHs6GjEa3U");
    write("key", "0123456789abcdefABCDEF0123456789");
    const answer = { pager: "pagerduty", key_file: "./key", url, resolve: true };
    const source = { kind: "alertmanager", repository: "acme/web", secret_file: "./s" };
    const github = { app_id: 1, repositories: [{ name: "acme/web" }] };
    const { config } = surveyed(folder, {
      github,
      alerts: { sources: { production: { ...source, answer }, quiet: source } },
    });
    return [...((await pagersLook.look({ config, gaps: new Set() }, () => {})) as Iterable<object>)];
  };

  it("CFG-1 AL-8 says who hears of what, and that its host answers, and sends no event", async () => {
    sink.answer(405);
    expect(await look(sink.url)).toEqual([
      {
        name: "pagers",
        said: "PagerDuty hears of production's approvals, `/ack` and `/close`; its routing key has the right form, and only an event would prove more",
      },
    ]);
    expect(sink.received.map(({ body }) => body)).toEqual([""]);
  });

  it("CFG-1 AL-8 says that its host does not answer", async () => {
    const gone = await startSink();
    await gone.close();
    expect(await look(gone.url)).toMatchObject([
      {
        problems: [
          {
            place: "alerts.sources.production.answer",
            message: expect.stringContaining("does not answer: ECONNREFUSED"),
          },
        ],
      },
    ]);
  });
});
