import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { NamedValue } from "../../src/base/action.ts";
import { fillPlaces } from "../../src/runbooks/values.ts";

const words = ["id", "cart", "/etc/passwd", "a b", "9"];

/** Hostile values by what they try; each is made of each word. */
const classes: Readonly<Record<string, (word: string) => readonly string[]>> = {
  "ends its quotes": (word) => ["'", '"', "''", `"'`, "\\'", '\\"'].map((quote) => `${quote};${word};${quote}`),
  "runs another command": (word) => [";", "&", "&&", "||", "|", "\n", "\r\n", "`"].map((sign) => `x${sign}${word}`),
  substitutes: (word) => [`$(${word})`, `\`${word}\``, `\${IFS}${word}`, `$${word}`, `$((${word}))`, `<(${word})`],
  "is an option": (word) => [`-${word}`, `--${word}`, `-rf ${word}`, `--exec=${word}`, `\u2013${word}`, `+${word}`],
  "reads or writes a file": (word) => [`<${word}`, `>${word}`, `>>${word}`, `2>${word}`, `<<${word}`, `@${word}`],
  "names many": (word) => [`*${word}`, `${word}?`, `[${word}]`, `{${word},x}`, `~${word}`, `!${word}`],
  "leaves its folder": (word) => [`../${word}`, `x/../../${word}`, `..`, `./../${word}`, `/../${word}`, `a/..`],
  "cannot be seen": (word) =>
    ["\u0000", "\u001b[2J", "\u202e", "\u200b", "\u2028", "\t"].map((sign) => `x${sign}${word}`),
  "looks like another sign": (word) =>
    ["\uff1b", "\u2019", "\u201c", "\uff04", "\uff5c", "\u00a0"].map((sign) => `x${sign}${word}`),
  "is a place again": (word) => [`<${word}>`, `\${${word}}`, `{{ $labels.${word} }}`, "<pod>", "$POD", "{{pod}}"],
  "comments the rest out": (word) => [`#${word}`, `x #${word}`, `x;#${word}`, `//${word}`, `--;${word}`, `%00${word}`],
  "is too much": (word) => [word.repeat(400), "", " ", `${" ".repeat(50)}${word}`, `${word}\\`, `\\${word}`],
};
const values = [...new Set(Object.values(classes).flatMap((make) => words.flatMap(make)))];

/** Each place of a command, with the name that is asked for, and the word that is to come of it. */
const templates: readonly (readonly [template: string, word: (value: string) => string])[] = [
  ["<reason>", (value) => value],
  ["<pod>", (value) => value],
  ["$POD", (value) => value],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
  ['"${pod}"', (value) => value],
  ["--reason=<reason>", (value) => `--reason=${value}`],
  ['"a <path> b"', (value) => `a ${value} b`],
  ["'a <path> b'", (value) => `a ${value} b`],
  ["pre-{{ $labels.reason }}-post", (value) => `pre-${value}-post`],
  ["/var/log/<path>", (value) => `/var/log/${value}`],
];

const inShell = (shell: string, script: string) =>
  spawnSync(shell, ["-c", script], {
    encoding: "utf8",
    cwd: "/",
    env: { HOME: "/h", PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", POD: "unset", pod: "unset" },
  });

test.each(["sh", "dash", "bash"])(
  "WF-3 none of 300 hostile values leaves its quotes or becomes an option, in a real %s",
  (shell) => {
    expect(values.length).toBeGreaterThanOrEqual(300);
    const taken = { alert: 0, form: 0, person: 0 };
    const commands: { readonly command: string; readonly word: string }[] = [];
    for (const source of ["alert", "form", "person"] as const)
      for (const value of values)
        for (const [template, word] of templates) {
          const known: readonly NamedValue[] = ["reason", "pod", "path"].map((name) => ({ source, name, value }));
          const { command, open } = fillPlaces(`printf '%s\\0' ${template} last`, known, {
            shells: ["bash"],
            isRunbook: true,
          });
          if (open.length > 0) continue;
          taken[source] += 1;
          expect(value).not.toMatch(/^[-\u2010-\u2015\u2212]|[\n\r\0]/);
          commands.push({ command, word: word(value) });
        }
    // In one script: what leaves its quotes changes what comes of all that follows.
    const { stdout, stderr } = inShell(shell, commands.map(({ command }) => command).join("\n"));
    expect(stderr).toBe("");
    expect(stdout.split("\0")).toEqual([...commands.flatMap(({ word }) => [word, "last"]), ""]);
    // What an outsider says is refused wherever a shell could read more in it than a word; a person's text is quoted.
    expect(taken.alert).toBe(taken.form);
    expect(taken.person).toBeGreaterThan(taken.alert);
    expect(taken.alert).toBeGreaterThan(0);
  },
);
