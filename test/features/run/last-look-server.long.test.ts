import { afterAll } from "vitest";
import { startPostgres } from "../../harness/postgres.ts";
import { proveLastLook } from "./last-look.ts";

const cluster = await startPostgres("the last look before a command, on a store of several processes");
afterAll(() => cluster?.stop());

proveLastLook("PostgreSQL", cluster?.createDatabase);
