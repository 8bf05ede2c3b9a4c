import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readKubeContext } from "../../src/config/kubeconfig.ts";
import { parseConfig } from "../../src/config/load.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { env } from "./operator.ts";

const folder = useFolder();
const write = writerIn(folder);

const ca = Buffer.from("a certificate").toString("base64");
/** A kubeconfig with a context `prod`, changed in its cluster or user. */
const kubeconfig = (cluster: object = {}, user: object = {}): string =>
  JSON.stringify({
    clusters: [
      { name: "c", cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": ca, ...cluster } },
    ],
    users: [{ name: "u", user: { token: "a-token", ...user } }],
    contexts: [{ name: "prod", context: { cluster: "c", user: "u" } }],
  });
write("kubeconfig", kubeconfig());

const whole = "kind: kubernetes, kubeconfig_file: ./kubeconfig, context: prod, namespaces: [shop], identity: bot";
const parse = (entry: string, more = "") =>
  parseConfig(`servers:\n  prod-eu: { ${entry} }\n${more}`, join(folder, "countersign.yml"), env);
const problems = (entry: string, more = ""): readonly string[] => {
  const parsed = parse(entry, more);
  return parsed.ok ? [] : parsed.problems.map(({ message, remedy }) => `${message} → ${remedy}`);
};

describe("a cluster in the config", () => {
  it("CFG-1 becomes a server that is known by its API server, certificate authority and identity", () => {
    const parsed = parse(`${whole}, groups: [k8s]`);
    expect(parsed.ok && parsed.config.servers.get("prod-eu")).toMatchObject({
      host: "10.0.0.1",
      port: 6443,
      user: "bot",
      groups: ["k8s"],
      description: expect.stringContaining("only kubectl runs here"),
      cluster: {
        context: "prod",
        namespaces: ["shop"],
        kubeconfigFile: join(folder, "kubeconfig"),
        apiServer: "https://10.0.0.1:6443",
        caSha256: createHash("sha256").update("a certificate").digest("hex"),
      },
    });
  });

  it.each([
    ["kind: kubernetes", "`servers.prod-eu.kubeconfig_file` is missing → write the path of a kubeconfig"],
    ["kind: kubernetes", "`servers.prod-eu.namespaces` is missing → list those that commands may name, or `*`"],
    ["kind: kubernetes", "`servers.prod-eu.identity` is missing → write who the bot is there"],
    [
      "kind: kubernetes, kubeconfig_file: ./kubeconfig",
      "`servers.prod-eu.context` is missing → write the name of a context",
    ],
    [`${whole}, in_cluster: true`, "is there beside `in_cluster: true` → leave one of them out"],
    [`${whole}, host: web-1`, "`host` means nothing for `prod-eu` → leave it out"],
    [`${whole}, key_file: ./kubeconfig`, "`key_file` means nothing for `prod-eu` → leave it out"],
    [`${whole}, tty: true`, "`tty` means nothing for `prod-eu` → leave it out"],
    [whole.replace("prod,", "other,"), "kubeconfig has no context `other` → write one of: prod"],
    [whole.replace("./kubeconfig", "./gone"), "gone cannot be used: "],
    [whole.replace("[shop]", "['-A']"), "is neither a namespace nor `*`"],
    [whole.replace("context: prod", "context: --as=x"), "cannot name a context"],
    [
      "host: a, user: b, agent: true, context: prod",
      "`context` means nothing for `prod-eu` → leave it out, or write `kind: kubernetes`",
    ],
    ["user: b, agent: true", "`servers.prod-eu.host` is missing; text belongs here"],
    ["kind: kubernets, host: a, user: b, agent: true", "did you mean `kubernetes`?"],
    [
      whole
        .replace("kind: kubernetes", "kind: kubernetes, in_cluster: true")
        .replace("kubeconfig_file: ./kubeconfig, ", ""),
      "outside of a cluster",
    ],
  ])("CFG-1 { %s }: %s", (entry, problem) => expect(problems(entry).join("\n")).toContain(problem));

  it("SR-55 with both pins written nobody but the runner needs the kubeconfig", () => {
    const pins = `api_server: "https://10.0.0.9", ca_sha256: ${"ab".repeat(32)}`;
    const parsed = parse(`${whole.replace("./kubeconfig", "./gone")}, ${pins}`);
    expect(parsed.ok && parsed.config.servers.get("prod-eu")).toMatchObject({
      host: "10.0.0.9",
      port: 443,
      cluster: { apiServer: "https://10.0.0.9", caSha256: "ab".repeat(32) },
    });
    expect(problems(`${whole}, ca_sha256: ${"ab".repeat(32)}`)).toEqual([
      "`servers.prod-eu.api_server` is missing → write both of them, or neither",
    ]);
  });

  it("CFG-1 nothing jumps through a cluster", () => {
    const web = "  web-1: { host: a, user: b, agent: true, jump: prod-eu }\n";
    expect(problems(whole, web)).toEqual(["`prod-eu` is a cluster, and nothing jumps through one → leave it out"]);
  });
});

describe("the context of a kubeconfig", () => {
  const read = (cluster: object = {}, user: object = {}) =>
    readKubeContext({ context: "prod", kubeconfigFile: write("other", kubeconfig(cluster, user)) }, {});

  it.each([
    ["http", { server: "http://10.0.0.1" }, {}, "has no https:// address"],
    ["no verification", { "insecure-skip-tls-verify": true }, {}, "has insecure-skip-tls-verify"],
    ["no certificate authority", { "certificate-authority-data": undefined }, {}, "names no certificate authority"],
    ["a program", {}, { exec: { command: "aws" } }, "logs in by `exec`, which runs a program"],
    ["a provider", {}, { "auth-provider": { name: "gcp" } }, "logs in by `auth-provider`, which runs a program"],
    [
      "a missing file",
      { "certificate-authority-data": undefined, "certificate-authority": "gone.pem" },
      {},
      "cannot be used",
    ],
  ])("SR-51 is refused with %s", (_, cluster, user, message) => {
    const found = read(cluster, user);
    expect(found.ok ? "taken" : found.message).toContain(message);
  });

  it("SR-47 tells its secrets, and keeps of a user nothing but ways to log in", () => {
    const key = Buffer.from("a private key").toString("base64");
    const found = read({}, { "client-key-data": key, username: "x", password: "y", as: "admin" });
    expect(found).toMatchObject({ ok: true, secrets: ["a-token", key, "a private key"] });
    expect(found.ok && JSON.parse(found.kubeconfig).users).toEqual([
      { name: "prod", user: { token: "a-token", "client-key-data": key } },
    ]);
  });

  it("SR-51 names no other file: what a user's files hold is taken in, as kubectl would choose among them", () => {
    const [tokenFile, key] = [write("token", "of-file\n"), write("key.pem", "a private key")];
    const user = { tokenFile, "client-key": key, "client-certificate": "gone.pem", "client-certificate-data": "Yw==" };
    const found = read({}, user);
    expect(found.ok && JSON.parse(found.kubeconfig).users[0].user).toEqual({
      token: "of-file",
      "client-certificate-data": "Yw==",
      "client-key-data": Buffer.from("a private key").toString("base64"),
    });
    expect(found.ok && found.secrets).toContain("of-file");
    const gone = read({}, { tokenFile: "gone" });
    expect(gone.ok ? "taken" : gone.message).toContain("cannot be used");
  });

  it("in a pod it is the service account, and refused where its files are not there", () => {
    const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    expect(readKubeContext({ context: "in-cluster" }, pod)).toMatchObject({
      ok: false,
      message: expect.stringContaining("/var/run/secrets/kubernetes.io/serviceaccount"),
    });
  });
});
