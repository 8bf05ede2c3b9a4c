import type { Person } from "../../base/github.ts";
import { proposalsBy } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";

/** What one agent may propose. */
export interface ProposalCaps {
  readonly openProposals: number;
  readonly proposalsPerHour: number;
}

const hourMs = 3_600_000;

/** Tells an agent why it may propose nothing more now (AG-3); undefined where it may. */
export async function whyTooMany(
  tx: Tx,
  agent: Person,
  given: { readonly caps: ProposalCaps; readonly now: Date },
): Promise<string | undefined> {
  const { caps, now } = given;
  const { open, recent } = await proposalsBy(tx, agent, new Date(now.getTime() - hourMs));
  if (open >= caps.openProposals)
    return `You have ${open} proposals open, and an agent may have ${caps.openProposals}. Wait until people have decided.`;
  if (recent >= caps.proposalsPerHour)
    return `You have made ${recent} proposals within an hour, and an agent may make ${caps.proposalsPerHour}. Try again later.`;
  return undefined;
}
