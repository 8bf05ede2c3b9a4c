import { loginForm } from "../../base/github.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { name } from "../../github/render/ink.ts";
import { verbs } from "../../slash/verbs.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, offerSession, type Session, sessionOf, takeSession } from "../../store/incidents.ts";
import { closedText } from "../answer/refusals.ts";
import type { Call, Command } from "../command.ts";
import { renderHandover } from "./handover-notes.ts";

const loginPattern = new RegExp(`^@(${loginForm})$`, "i");

/**
 * Passes the incident on: who is named takes it with an answer of their own, by the rights that they then have. It says whose
 * the incident is and grants nothing, so that the name alone is enough.
 */
export const handover: Command = {
  ...verbs.handover,
  summary: "hands the incident to somebody else, once they comment /handover accept",
  examples: ["/handover @bob", "/handover accept", "/handover decline"],
  may: "act",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const session = await sessionOf(tx, incident.id);
      const [word = "", ...more] = call.slash.words;
      const to = loginPattern.exec(word)?.[1];
      const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
      if (incident.state === "closed") return mistake(closedText);
      if (to !== undefined) return offer(tx, call, { incident, session, to });
      const answerWord = more.length === 0 ? word.toLowerCase() : "";
      if (answerWord !== "accept" && answerWord !== "decline")
        return mistake(`To whom? Write \`/handover @login\`. ${whoseIsIt(session)}`);
      if (session.offeredTo === null) return mistake(`Nobody was asked to take this over. ${whoseIsIt(session)}`);
      if (!isSame(session.offeredTo, call.caller.login))
        return mistake(`It is ${name(session.offeredTo)} who was asked. ${whoseIsIt(session)}`);
      return answerWord === "accept"
        ? accept(tx, call, { incident, session })
        : decline(tx, call, { incident, session });
    }),
};

interface At {
  readonly incident: Incident;
  readonly session: Session;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const whoseIsIt = ({ userLogin, offeredTo }: Session): string =>
  `The incident is with ${name(userLogin)}${offeredTo === null ? "" : `, offered to ${name(offeredTo)}`}.`;

async function offer(tx: Tx, call: Call, { incident, session, to }: At & { readonly to: string }): Promise<void> {
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const isCaller = isSame(to, call.caller.login);
  if (isSame(to, session.userLogin))
    return mistake(
      isCaller
        ? "You already have this incident. To hand it over: `/handover @login`"
        : `${name(session.userLogin)} already has it. To hand it to somebody else: \`/handover @login\``,
    );
  if (isCaller)
    return mistake(
      session.offeredTo !== null && isSame(session.offeredTo, to)
        ? "You were already asked to take this incident. To take it: `/handover accept`"
        : `Nothing was handed over: you named yourself. ${whoseIsIt(session)} Somebody else can offer it to you: \`/handover @${call.caller.login}\``,
    );
  await offerSession(tx, incident.id, to);
  await appendAudit(tx, { kind: "handover_offered", ...about(call, { incident, session }, to) });
  const body = await renderHandover(tx, call, {
    incident,
    session,
    what: `${name(to)}, ${name(call.caller.login)} would like to hand this incident over to you.`,
    next: `Comment \`/handover accept\` to take it, or \`/handover decline\` (needs write access here). Until then it stays with ${name(session.userLogin)}.`,
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

async function accept(tx: Tx, call: Call, { incident, session }: At): Promise<void> {
  const { caller, deps } = call;
  await takeSession(tx, incident.id, caller);
  await appendAudit(tx, { kind: "handover_accepted", ...about(call, { incident, session }, caller.login) });
  await show(tx, deps, incident);
  const body = await renderHandover(tx, call, {
    incident,
    session,
    what: `${name(caller.login)} has this incident now, from ${name(session.userLogin)}.`,
    next: "Permissions are unchanged.",
  });
  await answer(tx, call, incident, { outcome: "done", body });
}

async function decline(tx: Tx, call: Call, { incident, session }: At): Promise<void> {
  await offerSession(tx, incident.id, null);
  await appendAudit(tx, { kind: "handover_declined", ...about(call, { incident, session }, call.caller.login) });
  const body = `${name(call.caller.login)} cannot take it; the incident stays with ${name(session.userLogin)}.`;
  await answer(tx, call, incident, { outcome: "done", body });
}

const about = ({ caller, event }: Call, { incident, session }: At, to: string) => ({
  incidentId: incident.id,
  body: {
    from: session.userLogin,
    to,
    by: { id: caller.id, login: caller.login, role: caller.role },
    commentId: event.comment.id,
  },
});
