import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NamedValue } from "../../../src/base/action.ts";
import { shows } from "../../../src/runbooks/findings.ts";
import { expectFor, placesFor } from "../../../src/runbooks/lessons.ts";
import { createPrepare } from "../../../src/runbooks/prepare.ts";

const of = (values: Readonly<Record<string, string>>): readonly NamedValue[] =>
  Object.entries(values).map(([name, value]) => ({ source: "alert", name, value }));
const shells = ["bash"] as const;

describe("issue 24.5 what a command of an incident is in a runbook", () => {
  it.each([
    ["kubectl -n shop get pods", { namespace: "shop" }, "kubectl -n <namespace> get pods"],
    [
      "kubectl logs pod/cart-7f9 -n shop",
      { namespace: "shop", pod: "cart-7f9" },
      "kubectl logs pod/<pod> -n <namespace>",
    ],
    ["systemctl restart checkout.service", { service: "checkout" }, "systemctl restart checkout.service"],
    ["df -h /var", { mountpoint: "/var" }, "df -h <mountpoint>"],
    // By chance, as a part of another word, of a name that alerts do not have, of a secret: as it ran.
    ["kubectl get pods -n shop-eu", { namespace: "shop" }, "kubectl get pods -n shop-eu"],
    ["echo up", { namespace: "up" }, "echo up"],
    ["uptime", { severity: "uptime" }, "uptime"],
    ["login letmein", { password: "letmein" }, "login letmein"],
    // Two labels of one value: one of them, and the command comes out again.
    [
      "kubectl -n cart get deploy cart",
      { namespace: "cart", service: "cart" },
      "kubectl -n <namespace> get deploy <namespace>",
    ],
  ])("%s", (command, values, expected) => {
    expect(placesFor(command, of(values), shells)).toBe(expected);
  });

  it("is filled to the very same command, whatever the values are", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9./-]{0,8}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.record({ namespace: word, pod: word, node: word }),
        (words, values) => {
          const command = words.join(" ");
          const known = of(values);
          const [filled] = createPrepare("", known, shells)(placesFor(command, known, shells));
          expect(filled).toMatchObject({ command, open: [] });
        },
      ),
    );
  });

  it.each([
    ["2026-11-24T03:12:00Z ERROR disk /dev/sda2 is 97 % full", "ERROR disk /dev/sda* is * % full"],
    [
      "Nov 24 03:12:00 app[311]: Out of memory: Killed process 21733 (node)",
      "app[*]: Out of memory: Killed process * (node)",
    ],
    ["12 34 56", undefined],
    ["a `b` error", undefined],
  ])("%s is looked for next time as %s", (line, pattern) => {
    expect(expectFor(line)).toBe(pattern);
    if (pattern !== undefined) expect(shows(`before\n${line}\nafter`, pattern)).toBe(true);
  });

  it("a pattern is found in the line that it was made of, whatever that is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 200 }), (line) => {
        const pattern = expectFor(line);
        if (pattern !== undefined) expect(shows(line, pattern)).toBe(true);
      }),
    );
  });
});
