import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NamedValue } from "../../../src/base/action.ts";
import { placesFor } from "../../../src/runbooks/lessons.ts";
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
});
