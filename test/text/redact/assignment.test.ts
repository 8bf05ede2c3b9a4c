import { expect, test } from "vitest";
import { createReadAssignment } from "../../../src/text/redact/assignment.ts";

function assigned(text: string): string[] {
  const next = createReadAssignment(text);
  const found: string[] = [];
  for (let from = 0; ; ) {
    const one = next(from);
    if (!one) return found;
    found.push(`${one.kind} ${one.name} ${text.slice(one.valueAt)}`);
    from = one.valueAt;
  }
}

test("SR-45 a name is told from the sign behind it, whatever stands between the two", () => {
  expect(assigned('{"password": "a"}')).toEqual(['strong password "a"}']);
  expect(assigned("port=1 --db-password=a")).toEqual(["strong db-password a"]);
  expect(assigned("$config['secret'] => a")).toEqual(["strong secret a"]);
  expect(assigned("token := a")).toEqual(["strong token a"]);
  expect(assigned('var password  string = "a"')).toEqual(['strong password "a"']);
  expect(assigned("passphrase: SecretStr = a")).toEqual(["strong passphrase a"]);
  expect(assigned("value: SecretString = a")).toEqual([]);
});

test("SR-45 a name that ends in key without a sign before it is a key's, unless it names something else", () => {
  const names = ["GITHUBKEY", "routingkey", "PUBLICKEY", "sortkey", "keyboard"];
  expect(names.flatMap((name) => assigned(`${name}=a8Kd93jfLq02mZxPw7`))).toEqual([
    "weak GITHUBKEY a8Kd93jfLq02mZxPw7",
    "weak routingkey a8Kd93jfLq02mZxPw7",
  ]);
});

test("SR-45 a name is read as a whole, and an equation or an address is no assignment", () => {
  expect(assigned("password == a, token://a, tokens: 3")).toEqual(["weak tokens 3"]);
  expect(assigned(`${"a".repeat(130)}_token=b`)).toEqual([]);
});
