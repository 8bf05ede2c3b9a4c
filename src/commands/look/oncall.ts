import { capital } from "../../base/errors.ts";
import { hookNames, onCallLine, sourceWords } from "../../features/oncall/notes.ts";
import { calleesOf, onCallNow } from "../../features/oncall/roster.ts";
import { answer } from "../../features/thread/answer.ts";
import { duration, name, paragraphs } from "../../github/render/ink.ts";
import type { Call, Handler } from "../command.ts";

/** Says who is called, in which order, and why. */
export const oncall: Handler = async (call) => {
  const body = await onCallText(call);
  await call.commit((tx, incident) => answer(tx, call, incident, { outcome: "done", body }));
};

async function onCallText({ deps, repoContext, incident }: Call): Promise<string> {
  const { note } = deps.markdown;
  const onCall = await onCallNow(deps, repoContext);
  const callees = onCall.kind === "known" ? await calleesOf(deps, incident, repoContext, onCall.roster) : [];
  const barred = callees.filter(({ missing }) => missing !== "").map(({ login }) => name(login));
  const { lowMs, mediumMs, highMs } = repoContext.rules.policy.escalate.after;
  const [low, medium, high] = [duration(lowMs), duration(mediumMs), duration(highMs)];
  const { hook } = deps.config.oncall;
  const last = hook ? hookNames[hook.kind] : "everybody who may approve";
  const order = {
    known: `When a command waits for an approval, whoever is on call is called at once, the next after ${medium} without an answer (low risk ${low}, high ${high}), then ${last}.`,
    unreadable: `When a command waits for an approval, ${last} is called at once.`,
    unset: hook ? `When a command waits for ${medium} (low risk ${low}, high ${high}), ${last} is called.` : "",
  }[onCall.kind];
  return paragraphs(
    note(capital(onCallLine(onCall))),
    note(sourceWords(onCall)),
    barred.length === 0 ? "" : `⚠️ ${barred.join(", ")} may not approve here and so is not called.`,
    order,
  );
}
