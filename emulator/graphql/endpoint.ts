import type { Answer } from "../wire/shapes.ts";
import type { World } from "../world.ts";
import type { GraphqlCaller } from "./caller.ts";

export interface GraphqlAnswer {
  readonly answer: Answer;
  /** Why the request does not fit GitHub's schema. */
  readonly problem?: string;
}
export type GraphqlEndpoint = (caller: GraphqlCaller, body: unknown) => Promise<GraphqlAnswer>;

/**
 * `POST /graphql` against GitHub's real schema. The schema (1.2 MB) takes about 0.25 s, so it is loaded by the first
 * query, not at the start.
 */
export function createGraphql(world: World): GraphqlEndpoint {
  let loading: Promise<typeof import("./execute.ts")> | undefined;
  return async (caller, body) => {
    loading ??= import("./execute.ts");
    return (await loading).executeRequest(world, caller, body);
  };
}
