import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgePaths } from "../../src/patches/judge.ts";
import { parsePatch } from "../../src/patches/parse.ts";
import { applyPatch, blobId, writePatch } from "../../src/patches/patch.ts";
import { missing } from "../harness/missing.ts";
import { useFolder } from "../harness/use-started.ts";
import { commit, place, readOf, tryPatch } from "./tree.ts";

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web

spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: web:1.4.2
          resources:
            limits:
              memory: 256Mi

        - name: proxy
          image: proxy:2
          resources:
            limits:
              memory: 64Mi
`;
const service = "kind: Service\nspec:\n  ports:\n    - port: 80\n  selector:\n    app: web\n";
const tree = {
  "k8s/web.yaml": deployment,
  "k8s/service.yaml": service,
  "k8s/a b.yaml": "a: 1\nb: 2\n",
  "k8s/\u00e9.yaml": "a: 1\nb: 2\n",
  "k8s/open.yaml": "a: 1\nb: 2",
  "k8s/crlf.yaml": "a: 1\r\nb: 2\r\nc: 3\r\n",
  "k8s/empty.yaml": "",
  "k8s/twice.yaml": "x:\n  n: 1\ny:\n  n: 1\nz:\n  n: 1\n",
  "k8s/query.sql": "-- first\nselect 1;\n-- a/last\n",
  "ansible/a/site.yml": "- hosts: all\n  become: true\n",
} as const;

type Path = keyof typeof tree;
const edited = (path: Path, from: string, to: string): Record<string, string> => ({
  [path]: tree[path].replace(from, to),
});
const memory = edited("k8s/web.yaml", "memory: 256Mi", "memory: 512Mi");

const names = "--- a/k8s/web.yaml\n+++ b/k8s/web.yaml\n";
const context = ` 
         - name: proxy
           image: proxy:2
`;
const body = `           resources:
             limits:
-              memory: 256Mi
+              memory: 512Mi
${context}`;
const hunk = `@@ -13,6 +13,6 @@\n${body}`;
const ports = `@@ -2,4 +2,4 @@ kind: Service
 spec:
   ports:
-    - port: 80
+    - port: 8080
   selector:
`;
const fenced = (text: string, info = "diff"): string => `\`\`\`${info}\n${text}\`\`\``;

/** Form, patch, files as they become (undefined: deleted), and whether git takes this form, too. */
type Form = [title: string, patch: string, becomes: Readonly<Record<string, string | undefined>>, git?: "git refuses"];

const forms: readonly Form[] = [
  [
    "as git writes it",
    `diff --git a/k8s/web.yaml b/k8s/web.yaml\nindex ${"1".repeat(7)}..${"2".repeat(7)} 100644\n${names}${hunk}`,
    memory,
  ],
  [
    "with full ids",
    `diff --git a/k8s/web.yaml b/k8s/web.yaml\nindex ${blobId(deployment)}..${blobId(memory["k8s/web.yaml"] ?? "")} 100644\n${names}${hunk}`,
    memory,
  ],
  ["with the commit above", `commit ${commit}\n\ndiff --git a/k8s/web.yaml b/k8s/web.yaml\n${names}${hunk}`, memory],
  ["without the line of git", `${names}${hunk}`, memory],
  ["with an index line alone", `index 83db48f..bf2a8c1 100644\n${names}${hunk}`, memory],
  ["with a line of git alone", `diff --git a/k8s/web.yaml b/k8s/web.yaml\n${hunk}`, memory, "git refuses"],
  ["with the line of diff -u", `diff -u a/k8s/web.yaml b/k8s/web.yaml\n${names}${hunk}`, memory],
  ["without prefixes", `--- k8s/web.yaml\n+++ k8s/web.yaml\n${hunk}`, memory, "git refuses"],
  [
    "without prefixes below a line of git with them",
    `diff --git a/k8s/web.yaml b/k8s/web.yaml\n--- k8s/web.yaml\n+++ k8s/web.yaml\n${hunk}`,
    memory,
    "git refuses",
  ],
  [
    "with times behind tabs",
    `--- a/k8s/web.yaml\t2026-11-28 05:00:00.000000000 +0000\n+++ b/k8s/web.yaml\t2026-11-28 05:01:00\n${hunk}`,
    memory,
  ],
  [
    "with times behind spaces",
    `--- a/k8s/web.yaml 2026-11-28 05:00:00 +0000\n+++ b/k8s/web.yaml 2026-11-28T05:01:00Z\n${hunk}`,
    memory,
  ],
  ["in a fence", fenced(`${names}${hunk}`), memory],
  ["in a fence without a language, in blank lines", `\n${fenced(`${names}${hunk}\n`, "")}\n\n`, memory],
  ["in a fence with the commit inside", fenced(`commit ${commit}\n${names}${hunk}`), memory],
  ["in a fence of four tildes", `~~~~diff\n${names}${hunk}~~~~\n`, memory],
  ["without an end of the last line", `${names}${hunk}`.slice(0, -1), memory, "git refuses"],
  ["through GitHub's form, which sends CRLF", `${names}${hunk}`.replaceAll("\n", "\r\n"), memory, "git refuses"],
  ["an empty context line that lost its space", `${names}${hunk}`.replace(/^ $/gm, ""), memory],
  [
    "an empty context line at the end that lost its space",
    `${names}@@ -12,5 +12,5 @@\n           image: web:1.4.2\n${body.replace(context, "\n")}`.replace(
      "12,5 +12,5",
      "12,5 +12,5",
    ),
    memory,
  ],
  ["too small counts", `${names}@@ -13,2 +13,2 @@\n${body}`, memory, "git refuses"],
  ["too large counts", `${names}@@ -13,40 +13,41 @@\n${body}`, memory, "git refuses"],
  ["counts left out", `${names}@@ -13 +13 @@\n${body}`, memory, "git refuses"],
  ["a wrong line number", `${names}@@ -3,6 +3,6 @@\n${body}`, memory],
  ["no numbers", `${names}@@\n${body}`, memory, "git refuses"],
  ["no numbers, two signs", `${names}@@ @@\n${body}`, memory, "git refuses"],
  ["dots for numbers", `${names}@@ ... @@\n${body}`, memory, "git refuses"],
  ["a name for numbers", `${names}@@ containers: web @@\n${body}`, memory, "git refuses"],
  ["a section behind the numbers", `${names}@@ -13,6 +13,6 @@ spec:\n${body}`, memory],
  [
    "two hunks",
    `${names}@@ -5,4 +5,4 @@ metadata:\n \n spec:\n-  replicas: 2\n+  replicas: 3\n   template:\n${hunk}`,
    { "k8s/web.yaml": deployment.replace("replicas: 2", "replicas: 3").replace("256Mi", "512Mi") },
  ],
  [
    "two hunks, the numbers of the second as if the first had not moved it",
    `${names}@@ -5,4 +5,5 @@\n \n spec:\n-  replicas: 2\n+  replicas: 3\n+  minReadySeconds: 9\n   template:\n${hunk}`,
    {
      "k8s/web.yaml": deployment.replace("replicas: 2", "replicas: 3\n  minReadySeconds: 9").replace("256Mi", "512Mi"),
    },
  ],
  [
    "two hunks that share their context",
    "--- a/k8s/twice.yaml\n+++ b/k8s/twice.yaml\n@@ -1,3 +1,3 @@\n x:\n-  n: 1\n+  n: 2\n y:\n@@ -3,2 +3,2 @@\n y:\n-  n: 1\n+  n: 2\n",
    { "k8s/twice.yaml": "x:\n  n: 2\ny:\n  n: 2\nz:\n  n: 1\n" },
    "git refuses",
  ],
  [
    "one of three like places, by its line number",
    "--- a/k8s/twice.yaml\n+++ b/k8s/twice.yaml\n@@ -4 +4 @@\n-  n: 1\n+  n: 2\n",
    { "k8s/twice.yaml": "x:\n  n: 1\ny:\n  n: 2\nz:\n  n: 1\n" },
  ],
  [
    "two files",
    `diff --git a/k8s/web.yaml b/k8s/web.yaml\n${names}${hunk}diff --git a/k8s/service.yaml b/k8s/service.yaml\n--- a/k8s/service.yaml\n+++ b/k8s/service.yaml\n${ports}`,
    { ...memory, ...edited("k8s/service.yaml", "80", "8080") },
  ],
  [
    "two files, no line of git, wrong counts, a blank line between",
    `${names}@@ -13,9 +13,8 @@\n${body}\n--- a/k8s/service.yaml\n+++ b/k8s/service.yaml\n@@ -2,8 +2,9 @@\n${ports.replace(/^.*\n/, "")}`,
    { ...memory, ...edited("k8s/service.yaml", "80", "8080") },
    "git refuses",
  ],
  [
    "a new file",
    "--- /dev/null\n+++ b/k8s/new.yaml\n@@ -0,0 +1,2 @@\n+a: 1\n+b: 2\n",
    { "k8s/new.yaml": "a: 1\nb: 2\n" },
  ],
  [
    "a new file as git writes it, in a new folder",
    "diff --git a/k8s/new/x.yaml b/k8s/new/x.yaml\nnew file mode 100644\nindex 0000000..1191247\n--- /dev/null\n+++ b/k8s/new/x.yaml\n@@ -0,0 +1,2 @@\n+a: 1\n+b: 2\n",
    { "k8s/new/x.yaml": "a: 1\nb: 2\n" },
  ],
  [
    "a new file whose line of git says /dev/null",
    "diff --git /dev/null b/k8s/new.yaml\nnew file mode 100644\n--- /dev/null\n+++ b/k8s/new.yaml\n@@ -0,0 +1 @@\n+a: 1\n",
    { "k8s/new.yaml": "a: 1\n" },
  ],
  [
    "a new file with wrong counts and no end of line",
    "--- /dev/null\n+++ b/k8s/new.yaml\n@@ -1,0 +1,9 @@\n+a: 1\n+\n+b: 2\n\\ No newline at end of file\n",
    { "k8s/new.yaml": "a: 1\n\nb: 2" },
    "git refuses",
  ],
  [
    "a new empty file",
    "diff --git a/k8s/keep b/k8s/keep\nnew file mode 100644\nindex 0000000..e69de29\n",
    { "k8s/keep": "" },
  ],
  [
    "a deleted file",
    "diff --git a/ansible/a/site.yml b/ansible/a/site.yml\ndeleted file mode 100644\nindex 1234567..0000000\n--- a/ansible/a/site.yml\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-- hosts: all\n-  become: true\n",
    { "ansible/a/site.yml": undefined },
  ],
  [
    "a deleted file without a mode",
    "--- a/k8s/a b.yaml\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a: 1\n-b: 2\n",
    { "k8s/a b.yaml": undefined },
  ],
  [
    "an empty file that gets lines",
    "--- a/k8s/empty.yaml\n+++ b/k8s/empty.yaml\n@@ -0,0 +1 @@\n+a: 1\n",
    { "k8s/empty.yaml": "a: 1\n" },
  ],
  [
    "a folder named a",
    "--- a/ansible/a/site.yml\n+++ b/ansible/a/site.yml\n@@ -1,2 +1,2 @@\n-- hosts: all\n+- hosts: web\n   become: true\n",
    edited("ansible/a/site.yml", "all", "web"),
  ],
  [
    "a name with a space",
    "diff --git a/k8s/a b.yaml b/k8s/a b.yaml\n--- a/k8s/a b.yaml\t\n+++ b/k8s/a b.yaml\t\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n",
    edited("k8s/a b.yaml", "b: 2", "b: 3"),
  ],
  [
    "a quoted name",
    'diff --git "a/k8s/\\303\\251.yaml" "b/k8s/\\303\\251.yaml"\n--- "a/k8s/\\303\\251.yaml"\n+++ "b/k8s/\\303\\251.yaml"\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n',
    edited("k8s/\u00e9.yaml", "b: 2", "b: 3"),
  ],
  [
    "the same name, not quoted",
    "--- a/k8s/\u00e9.yaml\n+++ b/k8s/\u00e9.yaml\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n",
    edited("k8s/\u00e9.yaml", "b: 2", "b: 3"),
  ],
  [
    "a file without an end of line, marked",
    "--- a/k8s/open.yaml\n+++ b/k8s/open.yaml\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n\\ No newline at end of file\n+b: 3\n\\ No newline at end of file\n",
    { "k8s/open.yaml": "a: 1\nb: 3" },
  ],
  [
    "a file that gets its end of line",
    "--- a/k8s/open.yaml\n+++ b/k8s/open.yaml\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n\\ No newline at end of file\n+b: 2\n",
    { "k8s/open.yaml": "a: 1\nb: 2\n" },
  ],
  [
    "a file without an end of line, not marked",
    "--- a/k8s/open.yaml\n+++ b/k8s/open.yaml\n@@ -1,2 +1,2 @@\n-a: 1\n+a: 2\n b: 2\n",
    { "k8s/open.yaml": "a: 2\nb: 2" },
    "git refuses",
  ],
  [
    "a line behind the last one that has no end, not marked",
    "--- a/k8s/open.yaml\n+++ b/k8s/open.yaml\n@@ -1,2 +1,3 @@\n a: 1\n b: 2\n+c: 3\n",
    { "k8s/open.yaml": "a: 1\nb: 2\nc: 3\n" },
    "git refuses",
  ],
  [
    "a CRLF file, written with its CR",
    "--- a/k8s/crlf.yaml\n+++ b/k8s/crlf.yaml\n@@ -1,3 +1,3 @@\n a: 1\r\n-b: 2\r\n+b: 3\r\n c: 3\r\n",
    edited("k8s/crlf.yaml", "b: 2", "b: 3"),
  ],
  [
    "a CRLF file, written without",
    "--- a/k8s/crlf.yaml\n+++ b/k8s/crlf.yaml\n@@ -1,3 +1,4 @@\n a: 1\n-b: 2\n+b: 3\n+d: 4\n c: 3\n",
    { "k8s/crlf.yaml": "a: 1\r\nb: 3\r\nd: 4\r\nc: 3\r\n" },
    "git refuses",
  ],
  [
    "removed and added lines that look like headers",
    "--- a/k8s/query.sql\n+++ b/k8s/query.sql\n@@ -1,3 +1,3 @@\n--- first\n+++ second\n select 1;\n--- a/last\n+++ b/last\n",
    { "k8s/query.sql": "++ second\nselect 1;\n++ b/last\n" },
  ],
  [
    "removed and added lines that look like the next file",
    "--- a/k8s/query.sql\n+++ b/k8s/query.sql\n@@ -1 +1 @@\n--- first\n+++ second\n@@ -3 +3 @@\n--- a/last\n+-- b/last\n",
    { "k8s/query.sql": "++ second\nselect 1;\n-- b/last\n" },
  ],
  [
    "the same with wrong counts",
    "--- a/k8s/query.sql\n+++ b/k8s/query.sql\n@@ -1,9 +1,9 @@\n--- first\n+-- second\n select 1;\n--- a/last\n",
    { "k8s/query.sql": "-- second\nselect 1;\n" },
    "git refuses",
  ],
];

const folder = useFolder();
const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) missing("git", "test/patches/honest.test.ts compared nothing with `git apply`");

describe("an honest patch is applied in each form that models and people write", () => {
  it.each(forms)("%s", (title, patch, becomes, git) => {
    const tried = tryPatch(patch, tree);
    expect(tried).not.toHaveProperty("refusal");
    const files = "files" in tried ? tried.files : [];
    expect(Object.fromEntries(files.map(({ path, after }) => [path, after]))).toEqual(becomes);
    // What was written of it is read as the same, and the text stays.
    const written = writePatch(commit, files);
    const again = parsePatch(written);
    if (!again.ok) throw new Error(again.reason);
    expect(judgePaths(again.files, place)).toBeUndefined();
    const applied = applyPatch(again.files, readOf(tree, again.files));
    expect(applied.ok && writePatch(commit, applied.files)).toBe(written);
    // git makes the same files of it, and of what was written.
    if (!hasGit) return;
    expect(gitApply(`${title}-written`, written)).toEqual(becomes);
    const byGit = gitApply(title, patch);
    if (git === undefined || byGit !== undefined) expect(byGit).toEqual(becomes);
  });

  const gitApply = (title: string, patch: string): Readonly<Record<string, string | undefined>> | undefined => {
    const at = join(folder, title.replace(/\W+/g, "-"));
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    execFileSync("git", ["init", "-q"], { cwd: at });
    const { status } = spawnSync("git", ["apply", "--unidiff-zero"], {
      cwd: at,
      input: patch,
      encoding: "utf8",
    });
    if (status !== 0) return undefined;
    const paths = [
      ...new Set([...Object.keys(tree), ...(patch.match(/(?<=^\+\+\+ b\/|^diff .* b\/)[^\t\n]+/gm) ?? [])]),
    ];
    return Object.fromEntries(
      paths.flatMap((path) => {
        const after = existsSync(join(at, path)) ? readFileSync(join(at, path), "utf8") : undefined;
        return after === (tree as Readonly<Record<string, string>>)[path] ? [] : [[path, after]];
      }),
    );
  };
});

it("the text that is bound is the one that git writes with --full-index", () => {
  const tried = tryPatch(`${names}${hunk}`, tree);
  const after = memory["k8s/web.yaml"] ?? "";
  expect("files" in tried && writePatch(commit, tried.files)).toBe(
    `commit ${commit}\ndiff --git a/k8s/web.yaml b/k8s/web.yaml\nindex ${blobId(deployment)}..${blobId(after)} 100644\n${names}@@ -12,7 +12,7 @@\n           image: web:1.4.2\n${body}`,
  );
  // Known from git.
  expect(blobId("")).toBe("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  expect(blobId("hello\n")).toBe("ce013625030ba8dba906f756967f9e9ca394464a");
});
