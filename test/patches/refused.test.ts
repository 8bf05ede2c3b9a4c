import { describe, expect, it } from "vitest";
import { parsePatch } from "../../src/patches/parse.ts";
import { applyPatch } from "../../src/patches/patch.ts";
import { commit, fileOf, place, type Tree, thing, tryPatch } from "./tree.ts";

const web = "kind: Deployment\nreplicas: 2\nimage: web:1\n";
const tree: Tree = {
  "k8s/web.yaml": web,
  "k8s/run.sh": fileOf("replicas: 2\n", "100755"),
  "k8s/link.yaml": { ...thing("120000"), text: "../.github/workflows/ci.yml" },
  "k8s/linked": thing("120000"),
  "k8s/module": thing("160000"),
  "k8s/plain": "replicas: 2\n",
  "k8s/folder/a.yaml": "a\n",
  "k8s/crlf.yaml": "a\r\nb\r\n",
  "k8s/bytes.bin": { mode: "100644", id: "7".repeat(40), text: "replicas: 2\n\ufffd" },
  "k8s/large.yaml": `replicas: 2\n${"#\n".repeat(250_000)}`,
  "k8s/like.yaml": "a:\n  n: 1\nb:\n  n: 1\n",
  "k8s/nul.bin": "replicas: 2\n\0\n",
  ".github/workflows/ci.yml": "replicas: 2\n",
  ".gitmodules": "replicas: 2\n",
  ".gitattributes": "replicas: 2\n",
  CODEOWNERS: "replicas: 2\n",
  "docs/CODEOWNERS": "replicas: 2\n",
  ".github/CODEOWNERS": "replicas: 2\n",
  "README.md": "replicas: 2\n",
};
const everything = { ...place, paths: ["**", ".*/**", ".*"] };

const hunk = "@@ -1,1 +1,1 @@\n-replicas: 2\n+replicas: 3\n";
const change = (path: string): string => `--- a/${path}\n+++ b/${path}\n${hunk}`;
const creation = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x: 1\n`;
const header = (...lines: readonly string[]): string => `${lines.join("\n")}\n${hunk}`;
const zeros = "0".repeat(40);
const ones = "1".repeat(40);
const git = "diff --git a/k8s/web.yaml b/k8s/web.yaml";
const names = ["--- a/k8s/web.yaml", "+++ b/k8s/web.yaml"];

/** Way, patch, what the refusal names. Where more than `k8s/**` is listed, it says so. */
type Way = [title: string, patch: string, says: string, at?: typeof place];

const paths: readonly Way[] = [
  ["../ out of the listed folder", change("k8s/../README.md"), "`k8s/../README.md`"],
  ["../ out of the repository", change("k8s/../../web/x.yaml"), "`k8s/../../web/x.yaml`"],
  ["../ at the beginning", creation("../k8s/x.yaml"), "`../k8s/x.yaml` has a folder `.` or `..`"],
  ["./ at the beginning", creation("./k8s/x.yaml"), "`./k8s/x.yaml`"],
  ["./ in the middle", creation("k8s/./x.yaml"), "`k8s/./x.yaml`"],
  ["// in the middle", creation("k8s//x.yaml"), "`k8s//x.yaml`"],
  ["a slash at the end", creation("k8s/x/"), "`k8s/x/`"],
  ["absolute", header("--- /k8s/web.yaml", "+++ /k8s/web.yaml"), "`/k8s/web.yaml`"],
  ["absolute behind b/", creation("/etc/cron.d/x"), "`/etc/cron.d/x` does not begin in the repository"],
  ["home", creation("~/k8s/x.yaml"), "`~/k8s/x.yaml`"],
  ["a drive", creation("C:/k8s/x.yaml"), "`C:/k8s/x.yaml`"],
  ["backslashes", creation("k8s\\..\\.github\\workflows\\x.yml"), "a backslash"],
  ["NUL", creation("k8s/x.yaml\0.txt"), "NUL"],
  ["NUL within quotes", '--- /dev/null\n+++ "b/k8s/x.yaml\\000.txt"\n@@ -0,0 +1 @@\n+x\n', "U+0000"],
  ["a line break within quotes", '--- /dev/null\n+++ "b/k8s/x\\n.yaml"\n@@ -0,0 +1 @@\n+x\n', "U+000A"],
  ["a control character", creation("k8s/x\u001b[2K.yaml"), "U+001B"],
  ["a bidi character", creation("k8s/\u202elmay.x"), "U+202E"],
  ["a character of no width", creation("k8s/.git\u200bhub/x.yml"), "U+200B"],
  ["a hidden character in .git, as HFS ignores", creation("k8s/.g\u200cit/config"), "U+200C"],
  ["half a character", creation("k8s/x\ud800.yaml"), "lone surrogate"],
  ["quotes of bytes that are no UTF-8", '--- /dev/null\n+++ "b/k8s/\\377.yaml"\n@@ -0,0 +1 @@\n+x\n', "\\377.yaml"],
  ["a look-alike folder", change("k8\u0455/web.yaml"), "U+0455"],
  ["a look-alike in the file's name", creation("k8s/w\u0435b.yaml"), "U+0435"],
  ["a wide slash", creation("k8s\uff0f..\uff0fx.yaml"), "U+FF0F"],
  ["a slash of mathematics", creation("k8s/\u2215x.yaml"), "U+2215"],
  ["a dot that is none", creation("k8s/\u2024\u2024/x.yaml"), "U+2024"],
  ["a wide letter", creation("k8s/\uff57eb.yaml"), "U+FF57"],
  ["letters in parts (NFD)", creation("k8s/e\u0301.yaml"), "NFC"],
  ["a space at the end", creation("k8s/web.yaml "), "`k8s/web.yaml `"],
  ["a dot at the end", creation("k8s/web.yaml."), "`k8s/web.yaml.`"],
  ["a folder of three dots", creation("k8s/.../x"), "`k8s/.../x`"],
  ["a stream of NTFS", creation("k8s/web.yaml::$DATA"), "holds `:`"],
  ["a short name of Windows", creation("k8s/GIT~1/config"), "`k8s/GIT~1/config`"],
  ["a folder beside the listed one", creation("k8s-prod/x.yaml"), "`k8s-prod/x.yaml` is not one of the files"],
  ["the listed folder deeper", creation("other/k8s/x.yaml"), "`other/k8s/x.yaml`"],
  ["the listed folder as a file", creation("k8s"), "`k8s`"],
  ["another case", creation("K8S/web.yaml"), "`K8S/web.yaml`"],
  ["a hidden folder in the listed one", creation("k8s/.ci/x.yaml"), "`k8s/.ci/x.yaml`"],
  ["a glob as a path", creation("k8s/*"), "holds `*`"],
  ["a very long path", creation(`k8s/${"x/".repeat(200)}y`), "405 characters"],
  ["another repository before the path", creation("acme/other/k8s/x.yaml"), "`acme/other/k8s/x.yaml`"],
  ["another repository as an address", creation("https://github.com/acme/other/k8s/x.yaml"), "`https://github"],
  ["another repository as git fetches it", creation("git@github.com:acme/other/k8s/x.yaml"), "holds `:`"],
  ["another branch behind the path", header("--- main:k8s/web.yaml", "+++ main:k8s/web.yaml"), "holds `:`"],
];

const guarded: readonly Way[] = [
  ["a workflow", change(".github/workflows/ci.yml"), "`.github/workflows/ci.yml`"],
  ["a workflow where everything is listed", change(".github/workflows/ci.yml"), "what runs", everything],
  ["a workflow in another case", creation(".GitHub/workflows/x.yml"), "`.GitHub/workflows/x.yml`", everything],
  ["an action", creation(".github/actions/x/action.yml"), "what runs", everything],
  ["CODEOWNERS at the root", change("CODEOWNERS"), "who reviews", everything],
  ["CODEOWNERS in docs", change("docs/CODEOWNERS"), "who reviews", { ...place, paths: ["docs/**"] }],
  ["CODEOWNERS in .github", change(".github/CODEOWNERS"), "who reviews", { ...place, paths: [".github/**"] }],
  ["CODEOWNERS deleted", `--- a/CODEOWNERS\n+++ /dev/null\n@@ -1 +0,0 @@\n-replicas: 2\n`, "who reviews", everything],
  ["CODEOWNERS in another case", creation("docs/CodeOwners"), "`docs/CodeOwners`", everything],
  [".git", creation(".git/config"), "belongs to git", { ...place, paths: [".git/**"] }],
  [
    ".git in another case",
    creation(".GIT/hooks/post-checkout"),
    "belongs to git",
    { ...place, paths: ["**", ".GIT/**"] },
  ],
  [".git in a listed folder", creation("k8s/.git/config"), "belongs to git"],
  [".gitmodules", change(".gitmodules"), "belongs to git", { ...place, paths: [".gitmodules"] }],
  [".gitattributes", change(".gitattributes"), "`.gitattributes`", everything],
];

const forms: readonly Way[] = [
  ["rename", header(git, "rename from k8s/web.yaml", "rename to README.md", ...names), "`rename from k8s/web.yaml`"],
  ["rename by the git line alone", header("diff --git a/k8s/web.yaml b/k8s/wob.yaml"), "b/k8s/wob.yaml"],
  [
    "rename with similarity",
    header(git, "similarity index 100%", "rename from k8s/a", "rename to k8s/b"),
    "`similarity index 100%`",
  ],
  [
    "copy",
    header(git, "copy from .github/CODEOWNERS", "copy to k8s/web.yaml", ...names),
    "`copy from .github/CODEOWNERS`",
  ],
  ["mode to executable", `${git}\nold mode 100644\nnew mode 100755\n`, "`old mode 100644`"],
  [
    "a new executable file",
    header("diff --git a/k8s/x b/k8s/x", "new file mode 100755", "--- /dev/null", "+++ b/k8s/x"),
    "line 2",
  ],
  [
    "a new link",
    `diff --git a/k8s/x b/k8s/x\nnew file mode 120000\n--- /dev/null\n+++ b/k8s/x\n@@ -0,0 +1 @@\n+../CODEOWNERS\n\\ No newline at end of file\n`,
    "line 2 of the patch makes a symbolic link",
  ],
  [
    "a link by its index line",
    header(git, "index 1111111..2222222 120000", ...names),
    "line 2 of the patch is about a symbolic link",
  ],
  ["through a link", change("k8s/link.yaml"), "`k8s/link.yaml` is a symbolic link"],
  ["below a link", creation("k8s/linked/x.yaml"), "`k8s/linked` is a symbolic link"],
  ["in place of a link", creation("k8s/linked"), "`k8s/linked` is there already: a symbolic link"],
  [
    "a submodule",
    "diff --git a/k8s/m b/k8s/m\nnew file mode 160000\n--- /dev/null\n+++ b/k8s/m\n@@ -0,0 +1 @@\n+Subproject commit 1\n",
    "line 2 of the patch makes a submodule",
  ],
  ["a submodule by its index line", header(git, "index 1111111..2222222 160000", ...names), "a submodule"],
  [
    "a submodule without saying so",
    "--- a/k8s/module\n+++ b/k8s/module\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
    "`k8s/module` is a submodule",
  ],
  ["below a submodule", creation("k8s/module/x.yaml"), "`k8s/module` is a submodule"],
  ["below a file", creation("k8s/plain/x.yaml"), "`k8s/plain` is a plain file"],
  ["in place of a folder", creation("k8s/folder"), "`k8s/folder` is there already: a folder"],
  ["in place of a file", creation("k8s/web.yaml"), "`k8s/web.yaml` is there already"],
  [
    "another mode than the file's",
    header(
      "diff --git a/k8s/run.sh b/k8s/run.sh",
      "index 1111111..2222222 100644",
      "--- a/k8s/run.sh",
      "+++ b/k8s/run.sh",
    ),
    "`k8s/run.sh` has mode 100755",
  ],
  ["an odd mode", header(git, "index 1111111..2222222 104755", ...names), "mode 104755"],
  ["binary", `${git}\nBinary files a/k8s/web.yaml and b/k8s/web.yaml differ\n`, "line 2 of the patch is of a binary"],
  ["git's binary patch", `${git}\nGIT binary patch\nliteral 3\nKcmZ\n`, "line 2 of the patch is of a binary"],
  ["a file that is no UTF-8", change("k8s/bytes.bin"), "`k8s/bytes.bin` is no plain UTF-8"],
  [
    "a/ and b/ that differ",
    header("--- a/k8s/web.yaml", "+++ b/.github/workflows/x.yml"),
    "`b/.github/workflows/x.yml`",
  ],
  ["a/ and b/ in the wrong order", header("--- b/k8s/web.yaml", "+++ a/k8s/web.yaml"), "`a/k8s/web.yaml`"],
  ["a prefix on one side", header("--- a/k8s/web.yaml", "+++ k8s/web.yaml"), "two files"],
  [
    "the git line names another file",
    header("diff --git a/README.md b/README.md", ...names),
    "`README.md` and `k8s/web.yaml`",
  ],
  ["the git line names two files", header("diff --git a/k8s/web.yaml b/README.md", ...names), "README.md"],
  ["the line of diff -u names another file", header("diff -u a/README.md b/README.md", ...names), "README.md"],
  [
    "quotes that say another name",
    header('diff --git "a/k8s/w\\145b.yaml" "b/k8s/w\\146b.yaml"', ...names),
    "two files",
  ],
  ["new and with an old name", header(git, "new file mode 100644", ...names), "both that the file was there"],
  ["new and deleted", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "`/dev/null`"],
  ["new and deleted by modes", header(git, "new file mode 100644", "deleted file mode 100644"), "both"],
  ["deleted and with a new name", header(git, "deleted file mode 100644", ...names), "both"],
  [
    "two modes",
    header("diff --git a/k8s/x b/k8s/x", "new file mode 100644", "new file mode 120000"),
    "line 3 of the patch",
  ],
  [
    "two index lines",
    header(git, "index 1111111..2222222", "index 1111111..3333333 100755", ...names),
    "line 3 of the patch",
  ],
  ["the same file twice", change("k8s/web.yaml") + change("k8s/web.yaml"), "two parts for `k8s/web.yaml`"],
  [
    "the same file twice, once in quotes",
    `${change("k8s/web.yaml")}--- "a/k8s/w\\145b.yaml"\n+++ "b/k8s/w\\145b.yaml"\n${hunk}`,
    "two parts for `k8s/web.yaml`",
  ],
  ["two files but for their case", creation("k8s/x.yaml") + creation("k8s/X.yaml"), "`k8s/X.yaml`"],
  ["a file and a folder of one name", creation("k8s/x") + creation("k8s/x/y"), "`k8s/x`"],
  ["CR at the end of a header", header("--- a/k8s/web.yaml\r", "+++ b/k8s/web.yaml"), "line 1 of the patch ends in CR"],
  ["CR at the end of +++", header("--- a/k8s/web.yaml", "+++ b/k8s/web.yaml\r"), "line 2 of the patch"],
  ["CR within a header", header(git, "new file mode 100644\r--- /dev/null", ...names), "line 2 of the patch"],
  [
    "CR smuggled into a file without",
    `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3\r\n`,
    "`k8s/web.yaml` would get lines that end in",
  ],
  [
    "bidi characters in an added line",
    `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3 # \u202e\n`,
    "U+202E",
  ],
  ["a CR within an added line", `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3\r#\n`, "U+000D"],
  ["many lines", `--- /dev/null\n+++ b/k8s/x\n@@ -0,0 +1,401 @@\n${"+x\n".repeat(401)}`, "401 lines"],
  ["many characters", `--- /dev/null\n+++ b/k8s/x\n@@ -0,0 +1 @@\n+${"x".repeat(70_000)}\n`, "characters"],
  [
    "many files",
    Array.from({ length: 401 }, (_, at) => `diff --git a/k8s/${at} b/k8s/${at}\nnew file mode 100644\n`).join(""),
    "401 lines",
  ],
  ["a merge", header(git, "index 1111111,2222222..3333333", ...names), "line 2 of the patch"],
  ["a hunk of a merge", `${names.join("\n")}\n@@@ -1 -1 +1 @@@\n- replicas: 2\n++replicas: 3\n`, "line 3 of the patch"],
  ["a second file without a name", `${change("k8s/web.yaml")}--- a/README.md\n@@ -1 +1 @@\n-a\n+b\n`, "README.md"],
];

const commits: readonly Way[] = [
  ["a branch as the commit", `commit main\n${change("k8s/web.yaml")}`, "`commit main`"],
  ["a short commit", `commit 1a2b3c4\n${change("k8s/web.yaml")}`, "`commit 1a2b3c4`"],
  ["a ref as the commit", `commit refs/heads/main\n${change("k8s/web.yaml")}`, "`commit refs/heads/main`"],
  ["a commit's parent", `commit ${commit}^\n${change("k8s/web.yaml")}`, "^`"],
  ["a commit of another repository", `commit acme/other@${commit}\n${change("k8s/web.yaml")}`, "acme/other"],
  ["a commit and a branch", `commit ${commit} (HEAD -> main)\n${change("k8s/web.yaml")}`, "(HEAD"],
  ["a commit in capitals", `commit ${commit.toUpperCase()}\n${change("k8s/web.yaml")}`, "names no commit"],
  ["a commit too long", `commit ${commit}0\n${change("k8s/web.yaml")}`, "names no commit"],
  ["two commits", `commit ${commit}\ncommit ${"2".repeat(40)}\n${change("k8s/web.yaml")}`, "line 2 of the patch"],
  ["a commit in the middle", `${change("k8s/web.yaml")}commit ${"2".repeat(40)}\n${creation("k8s/x")}`, "commit 2222"],
  ["prose before the diff", `Push this to acme/other:\n${change("k8s/web.yaml")}`, "`Push this to acme/other:`"],
  ["prose behind the diff", `${change("k8s/web.yaml")}\nThen merge it.\n`, "`Then merge it.`"],
  ["prose behind the fence", `\`\`\`diff\n${change("k8s/web.yaml")}\`\`\`\nThen merge it.\n`, "text stands behind it"],
  ["a fence that is not closed", `\`\`\`diff\n${change("k8s/web.yaml")}`, "not closed"],
  [
    "a mail with a patch",
    `From ${commit} Mon Sep 17 00:00:00 2001\nSubject: x\n${change("k8s/web.yaml")}`,
    "`From 1a2b3c4",
  ],
  [
    "another language for patches",
    "*** Begin Patch\n*** Update File: k8s/web.yaml\n-a\n+b\n*** End Patch\n",
    "`*** Begin Patch`",
  ],
  ["nothing", "\n\n", "no diff"],
];

const content: readonly Way[] = [
  [
    "a removed line that is not there",
    `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 9\n+replicas: 3\n`,
    "`replicas: 9` is not in the file",
  ],
  [
    "context that is not there",
    `${names.join("\n")}\n@@ -1,2 +1,2 @@\n kind: Pod\n-replicas: 2\n+replicas: 3\n`,
    "hunk 1 for `k8s/web.yaml`",
  ],
  [
    "context with other spaces",
    `${names.join("\n")}\n@@ -1,2 +1,2 @@\n kind:  Deployment\n-replicas: 2\n+replicas: 3\n`,
    "hunk 1",
  ],
  ["no context at all", `${names.join("\n")}\n@@ -1,0 +2 @@\n+x: 1\n`, "no line of the file in it"],
  [
    "hunks in the wrong order",
    `${names.join("\n")}\n@@ -3 +3 @@\n-image: web:1\n+image: web:2\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3\n`,
    "hunk 2",
  ],
  [
    "the same line twice",
    `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 4\n`,
    "hunk 2",
  ],
  ["a file that is not there", change("k8s/other.yaml"), "no file `k8s/other.yaml`"],
  [
    "another version of the file",
    header(git, `index ${"1".repeat(40)}..${"2".repeat(40)} 100644`, ...names),
    "is not the version",
  ],
  [
    "another result than it says",
    header(git, `index ${fileOf(web).id}..${"2".repeat(40)} 100644`, ...names),
    "would not become",
  ],
  [
    "a deletion that leaves lines",
    "--- a/k8s/web.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-kind: Deployment\n",
    "does not remove all",
  ],
  ["a change that changes nothing", `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 2\n`, "as it is"],
  ["no change", `${names.join("\n")}\n@@ -1,2 +1,2 @@\n kind: Deployment\n replicas: 2\n`, "changes nothing"],
  ["only a name", `${git}\nindex 1111111..2222222 100644\n`, "changes nothing"],
  [
    "a mark of no newline before the end",
    `${names.join("\n")}\n@@ -2 +2 @@\n-replicas: 2\n+replicas: 3\n\\ No newline at end of file\n`,
    "before its end",
  ],
  [
    "a line without its sign",
    `${names.join("\n")}\n@@ -1,2 +1,2 @@\nkind: Deployment\n-replicas: 2\n+replicas: 3\n`,
    "`kind: Deployment`",
  ],
];

const doubts: readonly Way[] = [
  ["a letter that is drawn as nothing", creation("k8s/\u3164x.yaml"), "U+3164"],
  ["a mark that is drawn as nothing", creation("k8s/x\ufe0f.yaml"), "U+FE0F"],
  [
    "new twice",
    header("diff --git a/k8s/x b/k8s/x", "new file mode 100644", "new file mode 100644"),
    "line 3 of the patch",
  ],
  ["deleted twice", header(git, "deleted file mode 100644", "deleted file mode 100644"), "line 3 of the patch"],
  [
    "an index line of a new file for a change",
    header(git, `index ${zeros}..${ones} 100644`, ...names),
    "the `index` line of `k8s/web.yaml`",
  ],
  [
    "an index line of a deletion for a change",
    header(git, `index ${ones}..${zeros} 100644`, ...names),
    "the `index` line of `k8s/web.yaml`",
  ],
  [
    "an index line of a change for a new file",
    `index ${ones}..${fileOf("x: 1\n").id}\n${creation("k8s/x")}`,
    "the `index` line of `k8s/x`",
  ],
  [
    "an index line of a change for a deletion",
    `index ${fileOf("replicas: 2\n").id}..${ones}\n--- a/k8s/plain\n+++ /dev/null\n@@ -1 +0,0 @@\n-replicas: 2\n`,
    "the `index` line of `k8s/plain`",
  ],
  ["a file with a NUL", change("k8s/nul.bin"), "`k8s/nul.bin` is no plain"],
  ["a very large file", change("k8s/large.yaml"), "`k8s/large.yaml` has more than 500,000"],
  [
    "two like places and a wrong number",
    "--- a/k8s/like.yaml\n+++ b/k8s/like.yaml\n@@ -3 +3 @@\n-  n: 1\n+  n: 2\n",
    "2 places (line 2, line 4)",
  ],
  [
    "two like places and no number",
    "--- a/k8s/like.yaml\n+++ b/k8s/like.yaml\n@@\n-  n: 1\n+  n: 2\n",
    "2 places (line 2, line 4)",
  ],
  [
    "a mark of no newline where there is one",
    `${names.join("\n")}\n@@ -3 +3 @@\n-image: web:1\n\\ No newline at end of file\n+image: web:2\n`,
    "hunk 1 for `k8s/web.yaml`",
  ],
  [
    "a mark of no newline twice",
    `${names.join("\n")}\n@@ -3 +3 @@\n-image: web:1\n+image: web:2\n\\ No newline at end of file\n\\ No newline at end of file\n`,
    "line 7 of the patch",
  ],
];

describe.each(Object.entries({ paths, guarded, forms, commits, content, doubts }))(
  "refused, with a reason that names the place: %s",
  (_, ways) => {
    it.each(ways)("%s", (__, patch, says, at = place) => {
      const tried = tryPatch(patch, tree, at);
      const refusal = "refusal" in tried ? tried.refusal : "applied";
      expect(refusal).toContain(says);
      // Safe in a comment, and readable.
      expect(refusal).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(refusal.length).toBeLessThan(500);
    });
  },
);

it("a guarded file is allowed where a glob names it", () => {
  const at = { ...place, paths: [".github/workflows/*.yml", "docs/CODEOWNERS"] };
  for (const path of [".github/workflows/ci.yml", "docs/CODEOWNERS"])
    expect(tryPatch(change(path), tree, at)).toHaveProperty("files");
  expect(tryPatch(change(".github/CODEOWNERS"), tree, { ...at, paths: [".github/**"] })).toHaveProperty("refusal");
});

it("what was not read is refused, also a folder above a new file", () => {
  const parsed = parsePatch(creation("k8s/a/x.yaml"));
  if (!parsed.ok) throw new Error(parsed.reason);
  expect(applyPatch(parsed.files, new Map([["k8s/a/x.yaml", undefined]]))).toMatchObject({
    reason: "`k8s` was not read",
  });
});
