import { type Selectable, sql } from "kysely";
import { type ChatMessage, type Phase, phases, type Reading, type TokenUsage } from "../base/agent.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";
import type { Session } from "./incidents.ts";
import type { SimilarIncident } from "./past-incidents.ts";

export type Turn = Selectable<Tables["turn"]>;

interface NewTurn {
  readonly cause: string;
  /** The newest that the model read. */
  readonly heardComment?: number | undefined;
  readonly offline: boolean;
  readonly reading: Reading;
  readonly messages: readonly ChatMessage[];
  readonly usage: Pick<TokenUsage, "inputTokens" | "cachedTokens" | "outputTokens">;
  readonly toolCallCount?: number;
  readonly durationMs?: number;
  /** SHA-256 of the rules that the model read (INJ-3). */
  readonly toldRules?: string | undefined;
  readonly personId?: number | undefined;
  readonly contextCommit?: string | null;
  /** Before the agent's first step; counts as none. */
  readonly before?: boolean;
  readonly similar?: SimilarIncident | undefined;
  /** The model has read the changes of `keepChanges`. */
  readonly toldChanges?: boolean;
}

/** As the session's next step, in one statement. */
export async function addTurn(tx: Tx, session: Session, turn: NewTurn): Promise<Turn> {
  const { reading, usage } = turn;
  if (turn.toldChanges)
    await tx
      .updateTable("incidentChanges")
      .set({ toldAt: new Date() })
      .where("incidentId", "=", session.incidentId)
      .execute();
  const counted = tx
    .with("counted", (db) =>
      db
        .updateTable("session")
        .set((eb) => ({
          steps: eb("steps", "+", turn.before ? 0 : 1),
          // A turn without the model is free, so the session gets another.
          ...(turn.offline && !turn.before ? { stepLimit: eb("stepLimit", "+", 1) } : {}),
          inputTokens: eb("inputTokens", "+", usage.inputTokens),
          cachedTokens: eb("cachedTokens", "+", usage.cachedTokens),
          outputTokens: eb("outputTokens", "+", usage.outputTokens),
          toolCalls: eb("toolCalls", "+", turn.toolCallCount ?? 0),
          durationMs: eb("durationMs", "+", turn.durationMs ?? 0),
          ...(turn.heardComment === undefined ? {} : { heardComment: turn.heardComment }),
          ...(turn.toldRules === undefined ? {} : { toldRules: turn.toldRules }),
        }))
        .where("id", "=", session.id)
        .returning("steps"),
    )
    .with("told", (db) =>
      db
        .updateTable("incident")
        .set((eb) => ({
          // People read it as progress, so it never goes back.
          phase: sql<Phase>`(${sql.val(phases)}::text[])[greatest(
            array_position(${sql.val(phases)}::text[], ${reading.phase ?? phases[0]}),
            array_position(${sql.val(phases)}::text[], ${eb.ref("phase")}))]`,
          // A turn without prose leaves the earlier headline.
          ...(reading.prose !== "" && {
            confidence: reading.confidence ?? null,
            headline: reading.prose.split("\n", 1)[0]?.slice(0, 300) ?? null,
          }),
        }))
        .where("id", "=", session.incidentId)
        .returning("phase"),
    );
  const messages = turn.messages.map((message) => ({ sessionId: session.id, message: JSON.stringify(message) }));
  const kept =
    messages.length === 0
      ? counted
      : counted.with("kept", (db) => db.insertInto("message").values(messages).returning("id"));
  return kept
    .insertInto("turn")
    .values(({ selectFrom }) => ({
      id: newId(),
      incidentId: session.incidentId,
      step: selectFrom("counted").select("steps"),
      cause: turn.cause,
      offline: turn.offline,
      prose: reading.prose,
      confidence: reading.confidence ?? null,
      phase: selectFrom("told").select("phase"),
      suggestions: JSON.stringify(reading.suggestions),
      runbooks: JSON.stringify(reading.runbooks),
      notes: JSON.stringify(reading.notes),
      inputTokens: usage.inputTokens,
      cachedTokens: usage.cachedTokens,
      outputTokens: usage.outputTokens,
      personId: turn.personId ?? null,
      contextCommit: turn.contextCommit ?? null,
      similarIncident: turn.similar ? JSON.stringify(turn.similar) : null,
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The steps that the model took, of those it may take: a turn without it counts on neither side. `others`: such turns not given. */
export function modelSteps(
  { steps, stepLimit }: Pick<Session, "steps" | "stepLimit">,
  turns: readonly Pick<Turn, "offline" | "step">[],
  others = 0,
): { readonly steps: number; readonly stepLimit: number } {
  const free = others + turns.filter(({ offline, step }) => offline && step > 0).length;
  return { steps: steps - free, stepLimit: stepLimit - free };
}

export async function setTurnNotes(tx: Tx, id: string, notes: readonly string[]): Promise<void> {
  await tx
    .updateTable("turn")
    .set({ notes: JSON.stringify(notes) })
    .where("id", "=", id)
    .execute();
}

export async function turnsOf(db: Db | Tx, incidentId: string): Promise<readonly Turn[]> {
  return db.selectFrom("turn").selectAll().where("incidentId", "=", incidentId).orderBy("step").execute();
}

export async function messagesOf(db: Db | Tx, sessionId: string): Promise<readonly ChatMessage[]> {
  const rows = await db
    .selectFrom("message")
    .select("message")
    .where("sessionId", "=", sessionId)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.message);
}
