import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string, env?: string): string => evaluate(command, { os: "linux", shell: "bash", env }).risk;

describe("TOOL NOUN VERB", () => {
  test.each([
    ["the first verb decides, wherever it stands", "az network vnet subnet list -g x", "low"],
    ["a verb may be a part of a word", "virsh pool-destroy images", "high"],
    ["a verb after a noun that is one, too", "velero backup delete b1", "high"],
    ["a noun counts where there is no verb", "rpk cluster health", "low"],
    ["a single plural asks for a list", "talosctl services", "low"],
    ["a single plural of secrets does not", "talosctl secrets", "medium"],
    ["an unknown verb is no reading", "flux frob apps", "medium"],
    ["an option may be the verb", "consul catalog services --delete", "high"],
    ["a revealed secret is high", "doctl registry get-token-password show", "high"],
    ["a tool's own pair decides", "aws ssm get-parameter --name x", "high"],
    ["what a tool runs elsewhere is judged", "pct exec 101 -- df -h", "low"],
    ["what a tool runs elsewhere is blocked", "gcloud compute ssh vm --command='rm -rf /etc'", "block"],
    [
      "a guest's agent runs what it is sent",
      'virsh qemu-agent-command w \'{"path":"/bin/rm","arg":["-rf","/"]}\'',
      "block",
    ],
    ["a dry run only says", "velero backup delete b1 --dry-run", "low"],
  ])("PA-7 %s: %s is %s", (_why, command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });

  test("PA-7 a change is one level higher in production", () => {
    expect(riskOf("nomad job run web.nomad", "prod")).toBe("high");
  });
});
