import type { Reaction } from "./notes.ts";
import type { Person } from "./people.ts";
import { type Answer, notFound, refuse, toSeconds } from "./wire/shapes.ts";
import type { World } from "./world.ts";

/** GitHub's JSON of a reaction. */
const reactionJson = (world: World, reaction: Reaction): object => {
  const person = world.people.byAlias(reaction.alias);
  return {
    id: reaction.id,
    node_id: Buffer.from(`0:Reaction${reaction.id}`).toString("base64"),
    user: person ? world.userJson(person) : null,
    content: reaction.content,
    created_at: reaction.createdAt,
  };
};

export function react(
  world: World,
  actor: Person,
  subject: string,
  content: string,
): { reaction: Reaction; isNew: boolean } {
  const same = world.notes.reactionsOn(subject).find((r) => r.alias === actor.alias && r.content === content);
  if (same) return { reaction: same, isNew: false };
  const createdAt = toSeconds(new Date());
  return { reaction: world.notes.addReaction({ subject, alias: actor.alias, content, createdAt }), isNew: true };
}

/** 201 for a new one, 200 where that person had reacted so before. */
export function createReaction(world: World, actor: Person, subject: string, content: unknown): Answer {
  if (typeof content !== "string") return refuse(422, "Validation Failed");
  const { reaction, isNew } = react(world, actor, subject, content);
  return { status: isNew ? 201 : 200, body: reactionJson(world, reaction) };
}

export function listReactions(world: World, subject: string, query: URLSearchParams): Answer {
  const content = query.get("content");
  const all = world.notes.reactionsOn(subject).filter((r) => content === null || r.content === content);
  return { status: 200, body: all.map((r) => reactionJson(world, r)) };
}

/** Only one's own can be taken back. */
export function deleteReaction(world: World, actor: Person, subject: string, id: number): Answer {
  const reaction = world.notes.reactionsOn(subject).find((r) => r.id === id);
  if (!reaction) return notFound;
  if (reaction.alias !== actor.alias) return refuse(403, "Resource not accessible by integration");
  world.notes.removeReaction(reaction);
  return { status: 204 };
}
