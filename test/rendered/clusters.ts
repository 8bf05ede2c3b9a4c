import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lookAtReplay } from "../../src/cli/check/repo.ts";
import { configSchema } from "../../src/config/schema.ts";
import { toProgramSide } from "../../src/config/shape.ts";
import { whyUnfit } from "../../src/features/run/target.ts";
import { renderBatch } from "../../src/github/render/batch.ts";
import { renderOwnCard } from "../../src/github/render/card.ts";
import type { ActionView } from "../../src/github/render/state.ts";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { endingOfPlan } from "../../src/kubernetes/settle.ts";
import { byLee, hint, ink, medium, run, target } from "../github/render/views.ts";
import { server } from "../ssh/inventory-entry.ts";
import type { Part } from "./page.ts";

const user = "system:serviceaccount:ops:countersign";
const cluster = { context: "prod", namespaces: ["shop"], apiServer: "https://10.0.0.1:6443", caSha256: "" };
const onCluster = { place: "prod-eu", targets: [{ ...target("prod-eu"), user, cluster: { namespace: "shop" } }] };

const restart: ActionView = medium(1, {
  title: "Restart the rollout",
  description: "its pods hang",
  findings: [{ risk: "medium", text: "restarts the pods of deploy/web" }],
  spec: { ...onCluster, command: "kubectl rollout restart deploy/web", risk: "medium" },
});

const ended = (facts: Partial<Parameters<typeof endingOfPlan>[0]>, change: Partial<ActionView> = {}): string => {
  const failed = { effect: "changes", exit: { code: 1, signal: null }, errors: "", hasReported: false } as const;
  const ending = endingOfPlan({ ...failed, ...facts });
  const runs = [run({ server: "prod-eu", ending, excerpt: null })];
  const action = { ...restart, state: "done" as const, verdicts: byLee, runs, ...change };
  return renderBatch({ login: "lee", note: null, waitsFor: null, actions: [action] }, ink);
};

const parsed = parseKubectl(restart.spec.command, cluster.namespaces);
const settledBy = parsed.ok ? parsed.plan.settledBy : undefined;

/** A note of the card, which begins with the title of what the model proposed. */
const refused = [
  "kubectl exec web-1 -- df -h",
  "kubectl get pods > /tmp/pods",
  "kubectl get pods --context=staging",
  "kubectl get pods; kubectl get nodes",
  "kubectl get pods -n $NS",
].map((command) => {
  const why = whyUnfit(server({ name: "prod-eu", user, cluster }), command);
  return {
    title: `A proposal that cannot run there: \`${command}\``,
    body: ink.note(`Look: ${why?.reason}. ${why?.remedy.charAt(0).toUpperCase()}${why?.remedy.slice(1)}`),
  };
});

export const clusters: Part = {
  title: "On a cluster",
  examples: [
    { title: "The card names cluster, namespace and identity", body: renderOwnCard([restart], hint, ink) },
    ...refused,
    { title: "The answer was lost", body: ended({ settledBy }) },
    {
      title: "Cancelled while it ran",
      body: ended({ settledBy, stop: { kind: "cancelled", by: "lee" } }),
    },
    {
      title: "kubectl failed, and not its filter",
      body: ended(
        { effect: "reads", filtered: { code: 1, signal: null } },
        { spec: { ...onCluster, command: "kubectl get pods web-9 | grep Pending", risk: "low" } },
      ),
    },
  ],
};

const data = fileURLToPath(new URL("../data", import.meta.url));

/** What `check --incidents` prints of a change of skills. */
export function replayed(): Part {
  const root = mkdtempSync(join(tmpdir(), "countersign-rendered-"));
  try {
    const [base, folder, incidents] = ["base", "change", "incidents.jsonl"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [base, folder])
      cpSync(join(data, "incidents/skills"), join(one, ".github/skills"), { recursive: true });
    rmSync(join(folder, ".github/skills/host-disk-full"), { recursive: true });
    const servers = [{ name: "db-03", os: "linux", shell: "bash", groups: [], maxRisk: "high", protectedPaths: [] }];
    const incident = { title: "[FIRING:1] NodeFilesystemAlmostOutOfSpace db-03", body: "", values: [], helped: [] };
    const lines = [
      { repo: "acme/web", servers },
      { number: 1, ...incident },
      { number: 7, ...incident },
    ];
    writeFileSync(incidents, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { said, warnings = [] } = lookAtReplay(
      { incidents, base, folder },
      toProgramSide(configSchema, configSchema.parse({}), ""),
    );
    const told = warnings.map(({ place, message, remedy }) => `! ${place}: ${message} — ${remedy}`);
    const body = ["```text", `replay ! ${said}`, ...told, "```"].join("\n").replaceAll(folder, "change");
    return {
      title: "At the command line: closed incidents replayed",
      examples: [{ title: "A runbook is gone", body }],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
