import { describe, expect, test } from "vitest";
import type { NamedValue } from "../../src/base/action.ts";
import type { Shell } from "../../src/base/server.ts";
import { createPrepare, filledAdvice } from "../../src/runbooks/prepare.ts";

const values: readonly NamedValue[] = Object.entries({
  namespace: "prod",
  pod: "api-1",
  service: "api",
  file: "a",
}).map(([name, value]) => ({ source: "alert", name, value }));
const bodyOf = (lines: readonly string[], language = "sh") =>
  ["## Act", `\`\`\`${language}`, ...lines, "```"].join("\n");

/** The last of the lines as it is prepared. */
function prepared(lines: readonly string[], language = "sh", shells: readonly Shell[] = ["bash"]) {
  const line = lines.at(-1) ?? "";
  const [command] = createPrepare(bodyOf(lines, language), values, shells)(line);
  return command;
}

describe("WF-3 what a runbook sets itself", () => {
  test.each([
    ["by a loop", ["for pod in $(oc get pod -o name); do", "oc delete $pod"]],
    ["with another in one line", ["export NS=shop POD=cart-0", "oc -n $NS delete pod $POD"]],
    ["in front of a command", ["NS=shop APP=cart; oc get pod", "oc -n $NS get pod"]],
    ["in a condition", ["if POD=$(oc get pod -o name); then", "oc delete $POD"]],
    ["in a branch", ["if true; then", "NS=shop", "else", "NS=test", "fi", "oc -n $NS get pod"]],
    ["by what it reads", ["oc get pod -o name | while read -r POD; do", "oc delete $POD"]],
    ["under a name that no alert has", ["for i in 1 2; do", "rm -rf /data/$i"]],
  ])("WF-3 %s is never the alert's, and what would run without it is not offered as complete", (_, lines) => {
    const command = prepared(lines);
    expect(command?.command).toBe(lines.at(-1));
    expect(command?.fillable).toBe(false);
    expect(command?.open).not.toEqual([]);
    expect(command?.filled).toEqual([]);
  });

  test.each([
    ["$service = (Get-Service api).Name", "Restart-Service $service"],
    ["foreach ($file in Get-ChildItem) {", "Remove-Item $file"],
    ["$Service = 'x'", "Restart-Service $service"],
  ])("WF-3 in PowerShell too: %s", (...lines) =>
    expect(prepared(lines, "powershell")).toMatchObject({ command: lines[1], fillable: false, filled: [] }),
  );

  test("WF-3 in PowerShell, and for a Windows server, a variable is never a place", () => {
    const line = ["Restart-Service $service"];
    expect(prepared(line, "pwsh")).toMatchObject({ command: line[0], open: [] });
    expect(prepared(line, "", ["bash", "powershell"])).toMatchObject({ command: line[0], open: [] });
    expect(prepared(line, "")).toMatchObject({ command: "Restart-Service api" });
  });

  test("WF-3 comes along in its order, each line once", () => {
    const lines = ["NS=shop", "POD=$(oc -n $NS get pod -o name)", "NODE=<node>", "oc -n $NS delete $POD on $NODE"];
    expect(prepared(lines)).toMatchObject({
      command: "NS=shop && POD=$(oc -n $NS get pod -o name) && oc -n $NS delete $POD on <node>",
      open: [{ name: "node" }],
    });
  });

  test("WF-3 comes along with an option of the form x=y in its value", () => {
    const lines = [`export NS="$(oc get vm -A -o jsonpath='{.items[0].ns}')"`, "oc -n $NS get pod"];
    expect(prepared(lines)).toMatchObject({ command: lines.join(" && "), open: [] });
  });

  test("WF-3 comes along once however often it is used; what grows too long is not offered as complete", () => {
    const names = Array.from({ length: 40 }, (_, at) => `V${at}`);
    const chain = names.map((name, at) => {
      const before = names.slice(Math.max(0, at - 4), at).map((one) => `$${one}-`);
      return `${name}=${before.join("")}x`;
    });
    const command = prepared([...chain, "echo $V39"]);
    expect(command?.command.split(" && ")).toEqual([...chain, "echo $V39"]);
    const long = names.map((name, at) => `${name}=$V${at - 1}-${"x".repeat(200)}`);
    const cut = prepared([...long, "echo $V39"]);
    expect(cut?.command.length).toBeLessThan(2_200);
    expect(cut?.fillable).toBe(false);
    expect(cut?.open).not.toEqual([]);
  });
});

test("WF-3 a filled command keeps what the runbook says of it, with the same values; what is still open is left out", () => {
  const lines = [
    "NS=<namespace>",
    "oc -n $NS delete pod <pod>",
    "# check: oc -n $NS get pod <pod>",
    "# undo: oc apply -f <file>",
  ];
  const body = bodyOf([...lines, "reboot", "# undo: oc uncordon <pod>"]);
  const asked = { command: "oc -n prod delete pod api-1", shells: ["bash"] as const };
  const of = (names: readonly string[]) =>
    filledAdvice(body, { ...asked, filled: values.filter(({ name }) => names.includes(name)) });
  expect(of(["namespace", "pod"])).toEqual({ check: "oc -n prod get pod api-1" });
  expect(of(["namespace", "pod", "file"])).toEqual({ check: "oc -n prod get pod api-1", undo: "oc apply -f a" });
  expect(of(["namespace"])).toBeUndefined();
});
