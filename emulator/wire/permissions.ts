import type { Role } from "../interface.ts";

export type Level = "read" | "write";
/** What a token of the installation, or a person, needs for a route. */
export interface Needs {
  /** Permission of the App; undefined = none beyond a valid token. */
  readonly app?: readonly [permission: string, level: Level];
  readonly person: Role;
}

/** Whether what was granted covers what is needed; a permission that was not granted covers nothing. */
export const grants = (granted: string | undefined, needed: string): boolean =>
  granted !== undefined && levels.indexOf(granted) >= levels.indexOf(needed);
const levels = ["read", "write", "admin"];

/** `jwt`: only with the App's own token; `anyone`: without any. */
export type RouteNeeds = "jwt" | "anyone" | Needs;
