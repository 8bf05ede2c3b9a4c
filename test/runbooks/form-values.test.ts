import { expect, test } from "vitest";
import { formValues } from "../../src/runbooks/values.ts";

test("WF-3 an issue form's answers and lines of `name: value` are values; what is no answer is none", () => {
  const body = `### Namespace

shop

### Pod name

\`cart-7f9\`

### Node

_No response_

### What happened?

It went down.
Then up again.

### Details

- **Deployment:** cart
- pvc: data-0
- Note: see http://x.example/?a=b

\`\`\`
pid: 311
\`\`\`
`;
  expect(formValues(body)).toEqual({
    namespace: "shop",
    pod_name: "cart-7f9",
    deployment: "cart",
    pvc: "data-0",
    note: "see http://x.example/?a=b",
  });
});

test("WF-3 a body made to be slow is read in the time that its length takes: backtracking would hang", () => {
  const blanks = " ".repeat(1_000_000);
  for (const hostile of [
    `A${blanks}b`,
    `### a${blanks}b`,
    `${blanks}:`,
    "a:".repeat(300_000),
    `${"### a\n\nb\n".repeat(6_000)}`,
  ])
    formValues(hostile);
});

test("WF-3 a name that is given two values has none, and what is too long or too much is left out", () => {
  expect(formValues("ns: a\nns: b\npod: c\npod: c\n")).toEqual({ pod: "c" });
  expect(formValues(`ns: ${"a".repeat(201)}`)).toEqual({});
  const many = Array.from({ length: 200 }, (_, at) => `name${at}: ${at}`).join("\n");
  expect(Object.keys(formValues(many))).toHaveLength(50);
  expect(formValues("a: 1\n__proto__: x\nconstructor: y")).toEqual({ a: "1", proto: "x", constructor: "y" });
});
