/** What only reads of … */
import type { ReadTable } from "../../reads.ts";

export const databaseReads: ReadTable = {};
