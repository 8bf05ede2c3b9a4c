/** What people on call say in other languages than English: a table a language, a situation a line, two blanks before its phrases. */

import { chinese } from "./vocabulary/chinese.ts";
import { dutch } from "./vocabulary/dutch.ts";
import { french } from "./vocabulary/french.ts";
import { german } from "./vocabulary/german.ts";
import { italian } from "./vocabulary/italian.ts";
import { japanese } from "./vocabulary/japanese.ts";
import { korean } from "./vocabulary/korean.ts";
import { polish } from "./vocabulary/polish.ts";
import { portuguese } from "./vocabulary/portuguese.ts";
import { russian } from "./vocabulary/russian.ts";
import { spanish } from "./vocabulary/spanish.ts";

const rows = [chinese, dutch, french, german, italian, japanese, korean, polish, portuguese, russian, spanish].flatMap(
  (table) =>
    table
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/)),
);

/** All that other languages say of a situation; `requests` and `stop-words` are lines of their own. */
export const inOtherLanguages = (situation: string): string =>
  rows.flatMap(([name, said = ""]) => (name === situation ? [said] : [])).join(",");
