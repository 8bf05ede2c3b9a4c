/** Linear time, because a regular expression of a hostile pattern could take forever. */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let i = 0; i < text.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      starText = i;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starText;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/**
 * Whether a glob lists a file: `*` and `?` stay in one folder, `**` crosses folders, case counts. A name that begins with a dot
 * matches only if the glob writes the dot, as in a shell, so that `**` does not list `.github/`.
 */
export function matchesPath(glob: string, path: string): boolean {
  const parts = glob.normalize("NFC").split("/");
  // At the end it means what is in the folder, never the folder itself.
  if (parts.at(-1) === "**") parts.push("*");
  // The positions in the glob that the path may have reached.
  let reached = withSkips(parts, [0]);
  for (const name of path.split("/")) {
    const isHidden = name.startsWith(".");
    const next = [...reached].flatMap((at) => {
      const part = parts[at];
      if (part === undefined) return [];
      if (part === "**") return isHidden ? [] : [at];
      return (!isHidden || part.startsWith(".")) && matchesGlob(part, name) ? [at + 1] : [];
    });
    reached = withSkips(parts, next);
  }
  return reached.has(parts.length);
}

/** `**` also stands for no folder at all. */
function withSkips(parts: readonly string[], positions: readonly number[]): ReadonlySet<number> {
  const reached = new Set(positions);
  for (const at of reached) if (parts[at] === "**") reached.add(at + 1);
  return reached;
}

/** What keeps a glob of the operator's from listing anything. */
export function globProblem(glob: string): { readonly message: string; readonly remedy: string } | undefined {
  const parts = glob.split("/");
  const odd = /[[\]{}!\\]/.exec(glob)?.[0];
  if (odd !== undefined) return { message: `\`${odd}\` means nothing here`, remedy: "use only `*`, `?` and `**`" };
  if (glob.startsWith("/")) return { message: "it begins with a slash", remedy: "begin with the first folder's name" };
  if (glob.endsWith("/")) return { message: "it names a folder", remedy: `write \`${glob}**\`` };
  if (parts.some((part) => ["", ".", ".."].includes(part)))
    return { message: "a folder in it has no name", remedy: "write the path from the root of the repository" };
  return undefined;
}
