import { atLeast } from "./people.ts";
import { grants, type RouteNeeds } from "./wire/permissions.ts";
import { type Answer, notFound, type Repo, refuse } from "./wire/shapes.ts";
import type { Caller, World } from "./world.ts";

/** Who sent the request, from its Authorization header; undefined = a token that is not, or no longer, valid: 401. */
export function identify(world: World, authorization: string | undefined): Caller | undefined {
  const token = /^(?:bearer|token)\s+(\S+)$/i.exec(authorization ?? "")?.[1];
  if (authorization === undefined) return { kind: "anonymous" };
  if (token === undefined) return undefined;
  for (const app of world.apps) {
    const minted = app.tokens.find(token);
    if (minted) return { kind: "installation", app, token: minted };
  }
  const login = /^gho_(.+)$/.exec(token)?.[1];
  const person = login === undefined ? undefined : world.people.byLogin(login);
  if (person) return { kind: "person", person };
  const app = world.apps.find(({ tokens }) => tokens.isAppJwt(token));
  return app && { kind: "app", app };
}

/** The token that `as(login)` uses. */
export const personToken = (login: string): string => `gho_${login}`;

/** Whether a request comes from `as(login)`; faults leave those alone. */
export const isPerson = (authorization: string | undefined): boolean => authorization?.includes(" gho_") ?? false;

/** Whether the caller sees the repository at all; if not, it does not exist for them. */
export function maySee(world: World, caller: Caller, repo: Repo): boolean {
  if (caller.kind === "app" || caller.kind === "anonymous") return false;
  if (caller.kind === "person") return world.people.role(caller.person, repo) !== "none";
  const only = caller.token.repositoryIds;
  return caller.app.installation.covers(repo) && (only === undefined || only.includes(repo.id));
}

/** GitHub's refusal, or undefined where the caller may: 404 for who may not see, 403 for who may not do. */
export function refusal(world: World, caller: Caller, needs: RouteNeeds, repo: Repo | undefined): Answer | undefined {
  if (needs === "anyone") return undefined;
  if (needs === "jwt") {
    return caller.kind === "app" ? undefined : refuse(401, "A JSON web token could not be decoded");
  }
  if (caller.kind === "anonymous") return refuse(401, "Requires authentication");
  if (caller.kind === "app") return refuse(403, "Resource not accessible by integration");
  if (caller.kind === "installation") {
    if (caller.app.installation.state() === "suspended") return refuse(403, "This installation has been suspended");
    if (!caller.app.installation.takesTokens()) return refuse(401, "Bad credentials");
    if (repo && !maySee(world, caller, repo)) return notFound;
    const [name, level] = needs.app ?? [];
    const may = name === undefined || grants(caller.token.permissions[name], level ?? "write");
    return may ? undefined : refuse(403, "Resource not accessible by integration");
  }
  if (!repo) return undefined;
  const role = world.people.role(caller.person, repo);
  if (role === "none") return notFound;
  return atLeast(role, needs.person) ? undefined : refuse(403, `Must have ${needs.person} rights to Repository.`);
}
