/** GitHub's roles in order. An unknown one is `none` before it comes here, a custom one what it is built on where GitHub tells only that. */
export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof roles)[number];
