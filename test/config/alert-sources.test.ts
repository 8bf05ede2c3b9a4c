import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig, surveyConfig } from "../../src/config/load.ts";
import { secretsOf } from "../../src/service/start.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { env as operatorEnv, surveyed } from "./operator.ts";

const folder = useFolder();
const write = writerIn(folder);
const good = "fQ7n2mZx9LpRt4vWc8Yb1KdHs6GjEa3U";

function survey(source: object, { secret = good, mode = 0o600, name = "production" } = {}) {
  write("s", secret);
  write("open", secret, mode);
  const entry = { kind: "alertmanager", repository: "acme/web", secret_file: "./s", ...source };
  const github = { app_id: 1, repositories: [{ name: "acme/web" }] };
  return surveyed(folder, { github, alerts: { sources: { [name]: entry } } });
}

describe("a source of alerts in the operator's file", () => {
  it("AL-3 has a secret of its own, and authenticates as its product does unless said otherwise", () => {
    const { config, problems } = survey({}, { secret: `${good}\n${[...good].reverse().join("")}\n` });
    expect(problems).toEqual([]);
    expect(config.alerts.sources.production).toEqual({
      kind: "alertmanager",
      repository: "acme/web",
      answer: undefined,
      auth: "bearer",
      secrets: [good, [...good].reverse().join("")],
      reopenWithinMs: 86_400_000,
      issuesPerHour: 20,
      messagesPerMinute: 300,
      maxBodyKb: 1_024,
    });
    expect(config.secretFiles).toContain(join(folder, "s"));
    expect(survey({ kind: "pagerduty" }).config.alerts.sources.production?.auth).toBe("hmac");
  });

  it("AL-3 what is wrong with github.repositories is said once, and a weak secret's remedy names who has the same one", () => {
    write("s", "short");
    const source = { kind: "alertmanager", repository: "acme/api", secret_file: "./s" };
    const github = { app_id: 1, repositories: [{ name: "acme/web" }, { nam: "acme/api" }] };
    const config = { github, alerts: { sources: { production: source } } };
    const { problems } = surveyed(folder, config);
    expect(problems.filter((message) => message.includes("acme/api"))).toEqual([]);
    const file = write("countersign.yml", JSON.stringify(config));
    const parsed = surveyConfig({ file, env: {} });
    expect(parsed.ok ? [] : parsed.problems).toContainEqual(
      expect.objectContaining({ remedy: "make one with `openssl rand -hex 32` and set the same at the source" }),
    );
  });

  const routingKey = "0123456789abcdefABCDEF0123456789";
  const answering = (given: object, key = routingKey, env: Record<string, string> = {}) => {
    write("key", key);
    const answer = { pager: "pagerduty", ...given };
    const source = { kind: "alertmanager", repository: "acme/web", secret_file: "./s", answer };
    write("s", good);
    const file = { app_id: 1, repositories: [{ name: "acme/web" }] };
    return surveyed(folder, { github: file, alerts: { sources: { production: source } } }, env);
  };

  it("AL-8 SR-55 has a pager hear back with a key from a file or a variable, which no other role and no log has", () => {
    const { config, problems } = answering({ key_file: "./key" }, `${routingKey}\n`);
    expect(problems).toEqual([]);
    const url = "https://events.pagerduty.com/v2/enqueue";
    const read = { pager: "pagerduty", secret: routingKey, url, resolve: false };
    expect(config.alerts.sources.production?.answer).toEqual(read);
    expect(secretsOf(config)).toContain(routingKey);
    const env = answering({ key_env: "PD", resolve: true }, "", { PD: routingKey });
    expect(env.config.alerts.sources.production?.answer).toEqual({ ...read, resolve: true });
    expect(env.config.warnings.map(({ message }) => message).join()).toContain("in the environment is for trying only");
    const web = parseConfig(readFileSync(config.file, "utf8"), config.file, operatorEnv, ["web"]);
    const told = web.ok ? web : web.rest;
    expect([told?.config.alerts.sources.production?.secrets, told?.config.alerts.sources.production?.answer]).toEqual([
      [good],
      undefined,
    ]);
  });

  it.each([
    [{}, "`pagerduty` needs a `key_file` with the routing key"],
    [{ key_env: "PD" }, "the environment has no PD"],
    [{ key_file: "./none" }, "cannot be read"],
    [{ key_file: "./key" }, "it holds no routing key, which is 32 letters and digits", "short"],
    [{ key_file: "./key" }, "it holds no routing key, which is 32 letters and digits", " "],
    [
      { key_file: "./key", url: "https://events.pagerduty.com.evil.example/v2/enqueue" },
      "it is no address of PagerDuty",
    ],
    [{ key_file: "./key", url: "http://events.pagerduty.com/v2/enqueue" }, "it is no address of PagerDuty"],
    [{ key_file: "./key", pager: "opsgenie" }, "answer.pager"],
  ])("AL-8 says what is wrong with an answer: %j", (given, message, key: string = routingKey) => {
    expect(answering(given, key).problems.join("\n")).toContain(message);
  });

  it.each([
    [{}, { secret: "short" }, "the secret has 5 characters, at least 32 are needed"],
    [{ secret_file: "./open" }, { mode: 0o644 }, "has mode 0644: others can read it"],
    [{ secret_file: "./none" }, {}, "cannot be read"],
    [{ repository: "acme/wep" }, {}, "`acme/wep` is not among github.repositories"],
    [{ auth: "hmac" }, {}, "alertmanager does not sign"],
    [{ timestamp_header: "X-Time" }, {}, "it is for Grafana with `auth: hmac`"],
    [{ kind: "nagios" }, {}, "kind"],
    [{}, { name: "Pro/duction" }, "cannot name a source"],
  ])("AL-3 SR-56 says what is wrong: %j %j", (source, given, message) => {
    const { problems } = survey(source, given);
    expect(problems.join("\n")).toContain(message);
  });
});
