import type { Deps } from "../src/features/context.ts";
import { infraRepo, limitIn, pricingPath } from "./infra.ts";

type Ask = NonNullable<ReturnType<NonNullable<Deps["prepared"]>>>;
type Message = Parameters<Ask>[0]["messages"][number];

interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: object };
}

const limit =
  "kubectl get deploy/pricing -n shop -o jsonpath={.spec.template.spec.containers[0].resources.limits.memory}";
const killed =
  "kubectl get pods -n shop -l app=pricing -o jsonpath={.items[*].status.containerStatuses[0].lastState.terminated.reason}";
const pods = "kubectl get pods -n shop -l app=pricing";

const looks: Answer = {
  text: "",
  call: {
    name: "propose_actions",
    arguments: {
      actions: [
        {
          api: "ssh.execute",
          title: "Why pricing does not run",
          description: "its pods, why each ended the last time, and the limit that the cluster has",
          risk: "low",
          params: { server: "prod-eu", commands: [pods, killed, limit] },
        },
      ],
    },
  },
};

const newLimit = "256Mi";

/** The file as it was read, with the limit doubled, as a diff of three lines around it. */
function raise(file: string): string {
  const lines = file.split("\n");
  const at = lines.findIndex((line, index) => /^\s+memory: /.test(line) && /limits:/.test(lines[index - 1] ?? ""));
  const before = lines.slice(Math.max(0, at - 3), at).map((line) => ` ${line}`);
  const from = Math.max(0, at - 3) + 1;
  const old = lines[at] ?? "";
  return [
    `--- a/${pricingPath}`,
    `+++ b/${pricingPath}`,
    `@@ -${from},${before.length + 1} +${from},${before.length + 1} @@`,
    ...before,
    `-${old}`,
    `+${old.replace(limitIn(file), newLimit)}`,
  ].join("\n");
}

/** What the tool has read, between its first and last line, which say whose text it is. */
const fileIn = (result: string): string =>
  /apiVersion:[\s\S]*?memory: \d+Mi(?=\n)[\s\S]*?memory: \d+Mi(?=\n)/.exec(result)?.[0] ?? "";

function patch(result: string): Answer {
  const [, commit] = /\(commit ([0-9a-f]{40});/.exec(result) ?? [];
  if (commit === undefined)
    return { text: `INCONCLUSIVE: ${pricingPath} of ${infraRepo} cannot be read, so no patch is proposed.` };
  return {
    text: "",
    call: {
      name: "propose_patch",
      arguments: {
        server: "infra",
        commit,
        patch: raise(fileIn(result)),
        title: "Raise the memory limit of pricing",
        description: "Its price list no longer fits into 128 MiB; a restart would be killed again.",
        check: [limit, pods],
        check_on: "prod-eu",
      },
    },
  };
}

/** What is said next, by what was said before. */
function answerTo(messages: readonly Message[]): Answer {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const called = calls.at(-1)?.name;
  const last = messages.at(-1);
  if (last?.role === "tool" && called === "read_repository") return patch(last.content);
  const hasCalled = (name: string) => calls.some((call) => call.name === name);
  const results = messages.flatMap(({ role, content }) => (role === "user" ? [content] : [])).join("\n");
  const asked = last?.role === "user" ? last.content : "";
  if (!hasCalled("propose_actions") || asked.includes("Look again")) return looks;
  if (asked.includes("Why not restart it?")) return said("restart");
  if (hasCalled("propose_patch")) return said(newestOf(results));
  if (results.includes("OOMKilled OOMKilled"))
    return { text: "", call: { name: "read_repository", arguments: { server: "infra", path: pricingPath } } };
  return said(last?.role === "tool" ? "looking" : "other");
}

/** What came last of a patch that is proposed. */
const newestOf = (results: string): keyof typeof words =>
  new RegExp(`^${newLimit}$`, "m").test(results)
    ? "raised"
    : results.includes("draft pull request http")
      ? "waiting"
      : "proposed";

const words = {
  looking: "PHASE: verify\nLIKELY: pricing runs into its memory limit. Look first; these only read.",
  proposed: `PHASE: plan\nLIKELY: pricing is killed for its memory limit: 1 shows \`OOMKilled\` for both pods and a limit of \`128Mi\`, so a restart would not help. The limit lives in \`${pricingPath}\` of ${infraRepo}: 2 opens a draft pull request that raises it. People merge it.`,
  waiting:
    "PHASE: act\nLIKELY: the draft pull request waits for people. The board, at the top, links and follows it; once it is merged, a check of the cluster is proposed.",
  raised: `PHASE: act\nLIKELY: the cluster has the new limit of ${newLimit}, and the pods run. To end it: \`/close the price list outgrew the memory limit\``,
  restart: "LIKELY: a pod that starts again has the same limit and loads the same price list, so it is killed again.",
  other:
    "INCONCLUSIVE: no pod of pricing is killed now, so nothing is proposed. What was mended stays so until the servers are broken again, below the choice of incidents.",
} as const;

/** With what else these answers know. */
const said = (what: keyof typeof words): Answer => ({
  text: `${words[what]}

[SUGGESTIONS]
- Look again
- Why not restart it?`,
});

/**
 * Plays the agent of one incident if no model is named: only a model proposes patches. All others are answered by their runbooks.
 */
export const preparedAnswers: NonNullable<Deps["prepared"]> = ({ title }) =>
  title.startsWith("KubeContainerOOMKilled: pricing")
    ? async ({ messages }) => {
        const { text, call } = answerTo(messages);
        const id = `prepared-${messages.length}`;
        return {
          kind: "reply",
          text,
          toolCalls: call ? [{ id, name: call.name, arguments: JSON.stringify(call.arguments) }] : [],
          finish: call ? "tool_calls" : "stop",
          usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: true },
          model: "prepared answers",
          cost: 0,
        };
      }
    : undefined;
