import { proveLastLook } from "./last-look.ts";

proveLastLook("embedded store", async () => undefined);
