import { identify, refusal } from "../access.ts";
import type { GraphqlEndpoint } from "../graphql/endpoint.ts";
import { type Caller, callersApp, type World } from "../world.ts";
import type { OpenApi } from "./openapi.ts";
import { findRoute } from "./routes.ts";
import { type Answer, isObject, notFound, type Repo, refuse } from "./shapes.ts";

export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** What the traffic log says of a request besides its path. */
export interface Described {
  readonly operationId: string | undefined;
  readonly by: string;
}

export interface HandleInput {
  readonly world: World;
  readonly openApi: OpenApi;
  readonly graphql: GraphqlEndpoint;
  readonly onInvalid: (reason: string) => void;
}

/** Which operation a request is, and whose. */
export function describe({ world, openApi }: HandleInput, request: Request): Described {
  const { pathname } = targetOf(world, request);
  const isGraphql = pathname === "/graphql";
  return {
    operationId: isGraphql ? `graphql ${rootField(request.body)}` : openApi.find(request.method, pathname)?.operationId,
    by: nameOf(identify(world, request.authorization)),
  };
}

/** One request to the API, from its caller and validity to the answer. */
export async function handle(input: HandleInput, request: Request): Promise<Answer> {
  const { world, openApi } = input;
  const caller = identify(world, request.authorization);
  const target = targetOf(world, request);
  const path = target.pathname;
  if (path === "/graphql") return handleGraphql(input, caller, request.body);

  if (caller?.kind !== "person") {
    const operation = openApi.find(request.method, path);
    const problems = operation?.problems(target.searchParams, request.body) ?? ["no such operation"];
    if (problems.length > 0) {
      const reason = `${request.method} ${path}: ${problems.join("; ")}`;
      input.onInvalid(reason);
      return refuse(422, `Does not fit GitHub's OpenAPI: ${reason}`);
    }
  }
  return caller ? dispatch(input, caller, request, target) : refuse(401, "Bad credentials");
}

async function handleGraphql(input: HandleInput, caller: Caller | undefined, body: unknown): Promise<Answer> {
  if (caller?.kind !== "installation" && caller?.kind !== "person") return refuse(401, "Bad credentials");
  const refused = refusal(input.world, caller, { person: "none" }, undefined);
  if (refused) return refused;
  const { answer, problem } = await input.graphql(caller, body);
  if (problem && caller.kind === "installation") input.onInvalid(`POST /graphql: ${problem}`);
  return answer;
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
    actor: caller.kind === "person" ? caller.person : (callersApp(caller)?.bot ?? world.bot),
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

/** The URL asked for; `/repositories/{id}/…`, which GitHub's Link headers use, as `/repos/{owner}/{repo}/…`. */
function targetOf(world: World, { target }: Request): URL {
  const [, id, rest] = /^\/repositories\/(\d+)(.*)$/.exec(target) ?? [];
  const repo = id === undefined ? undefined : world.repos.byId(Number(id));
  return new URL(repo ? `/repos/${repo.full_name}${rest}` : target, world.url);
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
