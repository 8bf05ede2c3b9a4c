import { type Refusal, refuse } from "../base/errors.ts";
import { matchesPath } from "../base/glob.ts";
import { codePoint, unseen } from "../base/invisible.ts";
import type { PatchPlace } from "../base/server.ts";
import { counted } from "../base/words.ts";
import type { FilePatch } from "./parse.ts";

const mostLines = 400;
const longestPath = 255;

/** Whether a patch stays in the files that the operator lists. A refusal names the file. Pure. */
export function judgePaths(files: readonly FilePatch[], place: PatchPlace): Refusal | undefined {
  for (const { path } of files) {
    const problem = pathProblem(path);
    if (problem !== undefined)
      return refuse(
        `the path ${visibleText(path)} ${problem}`,
        `name a file of ${place.repository} as it stands there`,
      );
    const names = path.split("/");
    const inner = names.find((name) => /^\.git(?:modules)?$/i.test(name));
    if (inner !== undefined) return refuse(`${visibleText(path)} belongs to git itself`, "leave that file alone");
    const listed = place.paths.filter((glob) => matchesPath(glob, path));
    if (listed.length === 0)
      return refuse(
        `${visibleText(path)} is not one of the files for patches to ${place.repository}`,
        `patch only ${place.paths.map((glob) => `\`${glob}\``).join(", ")}`,
      );
    const guarded = names.filter((name) => /^(?:\.github|\.gitattributes|codeowners)$/i.test(name));
    if (!listed.some((glob) => guarded.every((name) => glob.split("/").includes(name))))
      return refuse(
        `${visibleText(path)} says what runs, or who reviews, in ${place.repository}`,
        "leave it to a person, or ask the operator to list it by its name",
      );
  }
  // By how file systems compare that do not tell case apart.
  const seen = new Set<string>();
  for (const { path } of files) {
    const folded = path.toLowerCase();
    if (seen.has(folded))
      return refuse(`${visibleText(path)} is in the patch twice, but for its case`, "name each file once");
    seen.add(folded);
  }
  for (const { path } of files) {
    const above = foldersAbove(path).find((folder) => seen.has(folder.toLowerCase()));
    if (above !== undefined)
      return refuse(`${visibleText(above)} is in the patch both as a file and as a folder`, "name each file once");
  }
  const lines = files.reduce((sum, { hunks }) => sum + Math.max(1, hunks.flatMap((hunk) => hunk.lines).length), 0);
  if (lines > mostLines)
    return refuse(`the patch has ${counted(lines, "line")}, and ${mostLines} is the most`, "propose a smaller change");
  for (const { path, hunks } of files)
    for (const { sign, text } of hunks.flatMap((hunk) => hunk.lines)) {
      const hidden = text.replace(/\r$/, "").replaceAll("\t", "").match(unseen)?.[0];
      if (sign === "+" && hidden !== undefined)
        return refuse(
          `${visibleText(path)} would get ${codePoint(hidden)}, which nobody sees: ${visibleText(text)}`,
          "write the line without it",
        );
    }
  return undefined;
}

/** `a`, `a/b` for `a/b/c`. */
export const foldersAbove = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, at, names) => names.slice(0, at + 1).join("/"));

/** What makes a path mean more than it shows, on some system. */
function pathProblem(path: string): string | undefined {
  if (path.length > longestPath) return `has ${counted(path.length, "character")}, and ${longestPath} is the most`;
  const hidden = path.match(unseen)?.[0];
  if (hidden !== undefined) return `holds ${codePoint(hidden)}, which nobody sees`;
  if (path.startsWith("/") || path.startsWith("~")) return "does not begin in the repository";
  if (path.includes("\\")) return "holds a backslash";
  const names = path.split("/");
  if (names.includes("")) return "has a folder without a name";
  if (names.some((name) => name === "." || name === "..")) return "has a folder `.` or `..`";
  if (names.some((name) => /^ |[ .]$/.test(name))) return "has a name with a space or a dot at its edge";
  if (names.some((name) => /~\d+(?:\.|$)/.test(name))) return "has a name as Windows shortens them";
  const odd = /[^\p{L}\p{M}\p{N} /._@+=,~#%!$&'()[\]{}^-]/u.exec(path)?.[0];
  if (odd !== undefined) return `holds ${odd < "`" ? `\`${odd}\`` : codePoint(odd)}, which a path must not hold`;
  if (path.normalize("NFC") !== path) return "is not in the usual form of Unicode (NFC)";
  const posing = [...path].find((char) => char > "\u007f" && /[ -~]/.test(char.normalize("NFKC")));
  if (posing !== undefined) return `holds ${codePoint(posing)}, which looks like another character`;
  if (names.some((name) => /\p{Script=Latin}/u.test(name) && lookAlike.test(name)))
    return `mixes letters of two scripts (${codePoint(lookAlike.exec(path)?.[0] ?? "")})`;
  return undefined;
}

/** Scripts with letters that look like Latin ones. */
const lookAlike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/** Others' text within a sentence: what nobody sees as its number, and short. */
export function visibleText(text: string): string {
  const seen = text.replace(unseen, (char) => `<${codePoint(char)}>`).replaceAll("`", "'");
  return `\`${seen.length > 100 ? `${seen.slice(0, 100)}…` : seen}\``;
}
