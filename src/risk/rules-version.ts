/** The version of the rules: the hash of what their tables say. Any other word in one is another version, so that no approval outlives it (RR-18). */
import { createHash } from "node:crypto";
import { lazy } from "../base/lazy.ts";
import * as consoles from "./knowledge/consoles.ts";
import * as equivalents from "./knowledge/equivalents.ts";
import * as guards from "./knowledge/guards.ts";
import * as kubectl from "./knowledge/kubectl.ts";
import * as code from "./knowledge/languages/code.ts";
import * as mongo from "./knowledge/languages/mongo.ts";
import * as sql from "./knowledge/languages/sql.ts";
import * as sqlFunctions from "./knowledge/languages/sql-functions.ts";
import * as paths from "./knowledge/paths.ts";
import * as rehearsals from "./knowledge/rehearsals.ts";
import * as reveals from "./knowledge/reveals.ts";
import * as variables from "./knowledge/variables.ts";
import * as verbs from "./knowledge/verbs.ts";
import * as windowsClasses from "./knowledge/windows/classes.ts";
import * as windowsCmdletReads from "./knowledge/windows/cmdlet-reads.ts";
import * as windowsCmdlets from "./knowledge/windows/cmdlets.ts";
import * as windowsNativeReads from "./knowledge/windows/native-reads.ts";
import * as windowsPrograms from "./knowledge/windows/programs.ts";
import * as windows from "./knowledge/windows/rules.ts";
import { readTable } from "./reads.ts";
import { builtInRules } from "./table.ts";

/** Everything that is written down as data. */
export const tables: Readonly<Record<string, unknown>> = {
  builtInRules,
  readTable,
  ...{ code, consoles, equivalents, guards, kubectl, mongo, paths, rehearsals, reveals, sql, sqlFunctions },
  ...{ variables, verbs },
  ...{ windows, windowsClasses, windowsCmdletReads, windowsCmdlets, windowsNativeReads, windowsPrograms },
};

const plain = (_key: string, value: unknown): unknown =>
  value instanceof RegExp ? String(value) : value instanceof Set || value instanceof Map ? [...value] : value;

/** The hash of data: of patterns, sets and maps their content. */
export const versionOf = (data: unknown): string =>
  createHash("sha256").update(JSON.stringify(data, plain)).digest("hex").slice(0, 16);

export const rulesVersion = lazy(() => versionOf(tables));
