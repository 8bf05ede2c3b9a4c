import type { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { types } from "./pg-types.ts";

/** PGlite as node-postgres reaches a server: one connection, which whoever is in a transaction has alone. */
export const createPglitePool = (pglite: PGlite): pg.Pool =>
  new pg.Pool({ ...createPgConfig(pglite), types, max: 1, idleTimeoutMillis: 0 });
