import { identify, refusal } from "./access.ts";
import type { GraphqlEndpoint } from "./graphql/endpoint.ts";
import type { OpenApi } from "./openapi.ts";
import { findRoute } from "./routes.ts";
import { type Answer, isObject, notFound, type Repo, refuse } from "./shapes.ts";
import type { Caller, World } from "./world.ts";

export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface Handled {
  readonly answer: Answer;
  readonly operationId: string | undefined;
  readonly by: string;
}

export interface HandleInput {
  readonly world: World;
  readonly openApi: OpenApi;
  readonly graphql: GraphqlEndpoint;
  readonly onInvalid: (reason: string) => void;
}

/** One request to the API, from its caller and validity to the answer. */
export async function handle(input: HandleInput, request: Request): Promise<Handled> {
  const { world, openApi } = input;
  const caller = identify(world, request.authorization);
  const by = nameOf(caller);
  const target = new URL(byName(world, request.target), world.url);
  const path = target.pathname;
  const finish = (answer: Answer, operationId?: string): Handled => ({ answer, operationId, by });

  if (path === "/graphql") {
    const operationId = `graphql ${rootField(request.body)}`;
    if (!caller || caller.kind === "app" || caller.kind === "anonymous") {
      return finish(refuse(401, "Bad credentials"), operationId);
    }
    const refused = refusal(world, caller, { person: "none" }, undefined);
    if (refused) return finish(refused, operationId);
    const { answer, problem } = await input.graphql(caller, request.body);
    if (problem && caller.kind !== "person") input.onInvalid(`POST /graphql: ${problem}`);
    return finish(answer, operationId);
  }

  const operation = openApi.find(request.method, path);
  if (caller?.kind !== "person") {
    const problems = operation?.problems(target.searchParams, request.body) ?? ["no such operation"];
    if (problems.length > 0) {
      const reason = `${request.method} ${path}: ${problems.join("; ")}`;
      input.onInvalid(reason);
      return finish(refuse(422, `Does not fit GitHub's OpenAPI: ${reason}`), operation?.operationId);
    }
  }
  if (!caller) return finish(refuse(401, "Bad credentials"), operation?.operationId);
  return finish(await dispatch(input, caller, request, target), operation?.operationId);
}

async function dispatch({ world }: HandleInput, caller: Caller, request: Request, target: URL): Promise<Answer> {
  const route = findRoute(request.method, target.pathname);
  if (!route) return notFound;
  const { owner, repo: name } = route.params;
  const repo = name === undefined ? undefined : world.repos.find(`${owner}/${name}`);
  if (name !== undefined && !repo) return notFound;
  const refused = refusal(world, caller, route.value.needs, repo);
  if (refused) return refused;
  if (repo?.archived && request.method !== "GET" && target.pathname.split("/").length > 4) {
    return refuse(403, "Repository was archived so is read-only.");
  }
  const rest = target.pathname.split("/").slice(4).join("/");
  const answer = await route.value.run({
    world,
    caller,
    actor: caller.kind === "person" ? caller.person : world.bot,
    method: request.method,
    params: route.params,
    query: target.searchParams,
    body: request.body,
    repo: repo as Repo, // routes without a repository do not read it
    rest: `${rest === "" ? "" : `/${rest}`}${target.search}`,
  });
  // a redirect must not turn a POST into a GET
  return answer.status === 301 && request.method !== "GET" ? { ...answer, status: 307 } : answer;
}

/** `/repositories/{id}/…`, which GitHub's Link headers use, as `/repos/{owner}/{repo}/…`. */
function byName(world: World, target: string): string {
  const [, id, rest] = /^\/repositories\/(\d+)(.*)$/.exec(target) ?? [];
  const repo = id === undefined ? undefined : world.repos.byId(Number(id));
  return repo ? `/repos/${repo.full_name}${rest}` : target;
}

const nameOf = (caller: Caller | undefined): string =>
  caller === undefined || caller.kind === "anonymous"
    ? "unknown"
    : caller.kind === "person"
      ? caller.person.login
      : caller.kind;

/** For the traffic log: the operation's name, or the first field it asks for. */
function rootField(body: unknown): string {
  const query = isObject(body) ? String(body.query ?? "") : "";
  return /^\s*(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? /\{\s*(\w+)/.exec(query)?.[1] ?? "?";
}
