import type { Thread } from "../../demo/thread.ts";
import { startHosts } from "../harness/hosts.ts";
import { auditOf, type Stage, startStage } from "../harness/stage.ts";
import type { Play } from "../ssh/fake-host.ts";

/** A stage with the group `web` of two servers, where `restart` says one line and runs until it is let go or ended. */
export interface LongStage {
  readonly stage: Stage;
  /** Lets all that runs end well. */
  readonly letGo: () => void;
  /** How many commands the servers were sent. */
  readonly sent: () => number;
  /** An incident whose action 1, `restart`, was approved and runs there. */
  readonly running: (place?: string) => Promise<Thread & { number: number }>;
  /** What the audit says of one comment. */
  readonly audited: (
    commentId: number,
  ) => Promise<readonly { readonly kind: string; readonly body: Readonly<Record<string, unknown>> }[]>;
  readonly close: () => Promise<void>;
}

export const restart = "systemctl restart nginx";
export const done = { text: "LIKELY, see 1, 2 and 3: nothing more to do." };

/** The bot's words about the runs of an action, as the issue shows them now. */
export const runCard = async (thread: Thread): Promise<string> =>
  (await thread.comments()).find(({ body }) => /^\*\*1\*\* (?!·|has)/.test(body))?.body ?? "";

export const closeIssue = (stage: Stage, thread: { readonly number: number }) =>
  stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });

export async function startLongStage(soft_timeout = "2m"): Promise<LongStage> {
  let letGo: (() => void)[] = [];
  const play: Play = async (command, { channel }) => {
    if (!command.includes(restart)) return 0;
    channel.write("begun, token=ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    await new Promise<void>((resolve) => letGo.push(resolve));
    channel.write("done\n");
    return 0;
  };
  const hosts = await startHosts(["web-1", "web-2"], () => play);
  const soft = { soft_timeout };
  const stage = await startStage({ servers: hosts.servers, config: { servers: { "web-1": soft, "web-2": soft } } });
  const release = (): void => {
    for (const one of letGo) one();
    letGo = [];
  };
  return {
    stage,
    letGo: release,
    sent: () => Object.values(hosts.sent()).reduce((sum, count) => sum + count),
    running: async (place = "web-1") => {
      const thread = await stage.incident({ command: restart, server: place });
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => body.includes("running since"), "the run card");
      return thread;
    },
    audited: async (commentId) => {
      const rows = (await auditOf(stage)).map(({ kind, body }) => ({ kind, body }));
      return rows.filter(({ body }) => body.comment?.id === commentId || body.commentId === commentId);
    },
    close: async () => {
      release();
      await stage.close();
      await hosts.close();
    },
  };
}
