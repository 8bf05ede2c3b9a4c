import { describe, expect, test } from "vitest";
import type { NamedValue } from "../../src/base/action.ts";
import { fillPlaces } from "../../src/runbooks/values.ts";

const fill = (command: string, source: NamedValue["source"], value: string) => {
  const given = ["why", "pod", "pid", "svc", "path", "host"].map((name) => ({ source, name, value }));
  return fillPlaces(command, given, { shells: ["bash"], isRunbook: true });
};

describe("WF-3 what names a program or an option is a person's to give", () => {
  test.each([
    "<why> status",
    "sudo -n <why>",
    "sudo -u root <why>",
    "/usr/bin/sudo <why>",
    "timeout 5 <why>",
    "timeout -k 5 10s <why>",
    "nice <why>",
    "nice -n 10 <why>",
    "ls | xargs -n1 <why>",
    "kubectl exec cart -- <why>",
    "oc -n shop debug node/a -- <why>",
    "docker exec -it cart <why>",
    "! <why>",
    "X=1 <why>",
    "env A=1 <why>",
    "./<why>",
    "ssh web-1 <why>",
    "ssh web-1 sudo <why>",
    "sh -c '<pod>'",
    "true && { <why>; }",
    "ls -<why>",
    "ls --<why>",
    "ls --no-<why>",
  ])("WF-3 %s", (command) => {
    expect(fill(command, "alert", "reboot").command).toBe(command);
    expect(fill(command, "form", "reboot").open[0]?.why).toContain("won't fill in a program or an option");
    expect(fill(command, "person", "reboot").open).toEqual([]);
  });

  test.each(["command", "cmd", "script", "action", "verb", "flag", "option"])("WF-3 nor a value named %s", (name) => {
    const on = (source: NamedValue["source"]) =>
      fillPlaces(`systemctl <${name}> a`, [{ source, name, value: "stop" }], { shells: ["bash"], isRunbook: true });
    expect(on("alert").open).toHaveLength(1);
    expect(on("form").open).toHaveLength(1);
    expect(on("person").command).toBe("systemctl stop a");
  });

  test.each([
    "sudo -n systemctl restart <svc>",
    "sudo -n kill <pid>",
    "ls | xargs -r kill <pid>",
    "ssh <host> uptime",
    "kubectl delete pod <pod>",
    "kubectl exec <pod> -- ls",
    "ls --name=<pod>",
  ])("WF-3 %s is none", (command) => expect(fill(command, "alert", "7").open).toEqual([]));
});

describe("WF-3 where a value is read a second time", () => {
  test.each([
    "sh -c <path>",
    'bash -c "ls <path>"',
    "ssh web-1 ls <path>",
    "eval ls <path>",
    "su -c ls <path>",
    "kubectl exec cart -- ls <path>",
    "docker exec cart ls <path>",
    "ls | xargs ls <path>",
    'ls "<path>"',
    "ls '<path>'",
    "ls $(ls <path>)",
  ])("WF-3 only plain characters stand, a person's too: %s", (command) => {
    for (const value of ["a%b", "a,b", "a+b"]) {
      expect(fill(command, "person", value).command).toBe(command);
      expect(fill(command, "person", value).open[0]?.why).toContain("use `/edit`");
    }
    expect(fill(command, "person", "/var/a_b.c:d@e-1").open).toEqual([]);
  });

  test("WF-3 a person's text is quoted where one shell reads it, and refused where two do", () => {
    for (const value of ["a b", "a;b", "it's", "a*"]) {
      expect(fill("logger <why>", "person", value).open).toEqual([]);
      expect(fill('logger "$WHY"', "person", value).command).toBe('logger "$WHY"');
    }
  });

  test("WF-3 of what no name is known, only letters and digits from an alert", () => {
    expect(fill('echo "$WHY"', "alert", "ab1").command).toBe('echo "ab1"');
    expect(fill('echo "$WHY"', "alert", "a-b").command).toBe('echo "$WHY"');
    expect(fill('echo "$POD"', "alert", "a-b").command).toBe('echo "a-b"');
  });
});

test("WF-3 what an alert or a form says has no sign that a program reads", () => {
  for (const value of ["a%b", "a@b", "a,b", "a+b", "a--b", "a/b", "a:b", "/a", ".a", "a=b"])
    expect(fill("echo <why>", "alert", value).open[0]?.why, value).toContain("the alert's value is not one word");
  for (const value of ["a%b", "a@b", "/a,b", "/a+b", "/a--b", "a:b"])
    expect(fill("ls <path>", "form", value).open[0]?.why, value).toBe("the issue's value is not a path without spaces");
  for (const value of ["/a:b", "a/b", "/"]) expect(fill("ls <path>", "alert", value).open, value).toEqual([]);
  expect(fill("ping <host>", "alert", "web-1:9100").command).toBe("ping web-1");
  expect(fill("ls <path>", "person", "a%b@c,d+e").open).toEqual([]);
});
