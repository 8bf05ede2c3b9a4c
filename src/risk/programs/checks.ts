/** The named checks that records refer to: languages and orders of words that a table cannot say. */
import type { Check } from "../engine/apply.ts";
import { docker } from "./containers.ts";
import { deviceConsole, family } from "./families.ts";
import { chmod, dd, mount, tar } from "./files.ts";
import { find } from "./find.ts";
import { interpreter } from "./interpreters.ts";
import { kubectl } from "./kubectl.ts";
import { mongo } from "./mongo.ts";
import { curl, listen, rsync, socat } from "./network.ts";
import { kill } from "./processes.ts";
import { pwsh, runsText, shell, sourceFile } from "./shells.ts";
import { redis, sqlClient } from "./sql.ts";
import { awk, sed } from "./text-tools.ts";
import { xargs } from "./xargs.ts";

// biome-ignore format: filled to the width
export const checks: Readonly<Record<string, Check>> = {
  awk, chmod, curl, dd, deviceConsole, docker, family, find, interpreter, kill, kubectl, listen, mongo, mount, pwsh, redis,
  rsync, runsText, sed, shell, socat, sourceFile, sqlClient, tar, xargs,
};
