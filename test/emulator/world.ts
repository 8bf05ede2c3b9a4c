import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ProbotOctokit } from "probot";
import { type EmulatedGitHub, type Seed, startGitHub } from "../../emulator/start.ts";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly event: string;
  readonly action: string | undefined;
  readonly payload: Readonly<Record<string, Thing>>;
  readonly signed: boolean;
}

/** JSON as a test reads it: any field may be asked for. */
export interface Thing {
  readonly [key: string]: Thing;
}

export interface TestWorld {
  readonly gh: EmulatedGitHub;
  readonly octokit: InstanceType<typeof ProbotOctokit>;
  /** An Octokit with other credentials, e.g. the App's JWT. */
  readonly octokitAs: (auth: object | string) => InstanceType<typeof ProbotOctokit>;
  /** Webhooks that arrived since the last call, after all underway have arrived. */
  readonly received: () => Promise<readonly Received[]>;
  /** What the receiver answers from now on. */
  readonly answerWith: (status: number) => void;
  readonly close: () => Promise<void>;
}

const secret = "It's a Secret to Everybody";
const privateKey = generatePrivateKey();

export const seed = {
  app: {
    id: 7001,
    slug: "countersign",
    privateKey,
    permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
  },
  owner: "acme",
  repos: [
    {
      name: "web",
      private: true,
      files: {
        "AGENTS.md": "# Web\n",
        ".github/skills/disk/SKILL.md": "---\nname: disk\n---\n",
        "logo.png": "\u0000PNG",
      },
    },
    { name: "open", private: false, files: { "README.md": "hello" } },
  ],
  people: [
    { login: "mona", role: "write" },
    { login: "lee", role: "admin" },
    { login: "ann", role: "maintain" },
    { login: "tri", role: "triage" },
    { login: "rea", role: "read" },
    { login: "eve", role: "none" },
    { login: "pager[bot]", type: "Bot", role: "write" },
  ],
  teams: { oncall: ["lee", "mona"], dba: ["lee"] },
} as const satisfies Omit<Seed, "webhook">;

/** Probot's Octokit without the waiting that is meant for the real GitHub. */
export const quietOctokit = (baseUrl: string) =>
  ProbotOctokit.defaults((options: object) => ({
    ...options,
    baseUrl,
    throttle: { enabled: false },
    retry: { enabled: false },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  }));

/** An emulated GitHub, a receiver of its webhooks, and the App's Octokit. */
export async function startWorld(changes: Partial<Seed> = {}): Promise<TestWorld> {
  const arrived: Received[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const payload = JSON.parse(body.toString());
      const headers = request.headers as Record<string, string>;
      const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      arrived.push({
        headers,
        event: headers["x-github-event"] ?? "",
        action: payload.action,
        payload,
        signed: headers["x-hub-signature-256"] === expected,
      });
      response.writeHead(status).end("received");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const gh = await startGitHub({ ...seed, webhook: { url, secret }, ...changes });
  const Octokit = quietOctokit(gh.url);
  const octokitAs = (auth: object | string) =>
    typeof auth === "string" ? new Octokit({ auth: { token: auth } }) : new Octokit({ auth });
  const { appId } = gh;
  return {
    gh,
    octokitAs,
    octokit: octokitAs({ appId, privateKey, installationId: gh.installationId }),
    async received() {
      await gh.settled();
      return arrived.splice(0);
    },
    answerWith: (next) => {
      status = next;
    },
    async close() {
      await gh.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens an issue as a person and returns its number. */
export async function openIssue(
  gh: EmulatedGitHub,
  fields: object = {},
  login = "mona",
  repo = "acme/web",
): Promise<number> {
  const { status, body } = await gh.as(login)("POST", `/repos/${repo}/issues`, {
    title: "down",
    body: "help",
    ...fields,
  });
  if (status !== 201) throw new Error(`opening an issue answers ${status}: ${JSON.stringify(body)}`);
  return Number((body as { number: number }).number);
}

/** Comments as a person and returns the comment. */
export async function comment(
  gh: EmulatedGitHub,
  issue: number,
  text: string,
  login = "mona",
): Promise<Thing & { readonly id: Thing & number }> {
  const { status, body } = await gh.as(login)("POST", `/repos/acme/web/issues/${issue}/comments`, { body: text });
  if (status !== 201) throw new Error(`commenting answers ${status}: ${JSON.stringify(body)}`);
  return body as Thing & { readonly id: Thing & number };
}

/** The status an Octokit call fails with. */
export async function statusOf(call: Promise<{ readonly status: number }>): Promise<number> {
  return call.then(
    (answer) => answer.status,
    (error: { readonly status?: number }) => error.status ?? -1,
  );
}
