import type { Selectable } from "kysely";
import type { Person } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type PersonPrompt = Selectable<Tables["personPrompt"]>;

interface PersonComment {
  readonly incidentId: string;
  readonly commentId: number;
  /** By GitHub's clock. */
  readonly writtenAt: Date;
}

/** After /prompt update, the next comment within this time is the new text (PA-2). */
export const awaitsMs = 15 * 60_000;

export const personPromptOf = (db: Db | Tx, personId: number): Promise<PersonPrompt | undefined> =>
  db.selectFrom("personPrompt").selectAll().where("personId", "=", personId).executeTakeFirst();

export function isAwaited(
  prompt: PersonPrompt | undefined,
  { incidentId, commentId, writtenAt }: PersonComment,
): boolean {
  if (!prompt || prompt.awaitsIncident !== incidentId || !prompt.awaitsSince || prompt.awaitsAfter === null)
    return false;
  return commentId > prompt.awaitsAfter && writtenAt.getTime() - prompt.awaitsSince.getTime() <= awaitsMs;
}

/** No comment of the person is awaited as the new text. */
export const nothingAwaited = { awaitsIncident: null, awaitsAfter: null, awaitsSince: null } as const;

/** An empty text is the default. */
export async function setPersonPrompt(
  tx: Tx,
  { id, login }: Person,
  change: Partial<Pick<PersonPrompt, "text" | keyof typeof nothingAwaited>>,
): Promise<void> {
  const values = { login, ...change, updatedAt: new Date() };
  await tx
    .insertInto("personPrompt")
    .values({ personId: id, text: "", ...nothingAwaited, ...values })
    .onConflict((conflict) => conflict.column("personId").doUpdateSet(values))
    .execute();
}
