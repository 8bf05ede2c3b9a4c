import { expect, test } from "vitest";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();

test.each([
  ["$ kubectl get secret a -o jsonpath='{.data.pin}' | base64 -d\nhunter27\n$ date", "hunter27"],
  ["[ops@web-1 ~]$ terraform output -raw db_password\nLumen-Otter-51", "Lumen-Otter-51"],
  ["# printenv SMTP_PASSWORD\nhunter27\n\n# exit", "hunter27"],
])("SR-45 the one word that a command answers is hidden: %s", (text, secret) => {
  expect(redact(text)).toMatchObject({ ok: true, text: text.replace(secret, "[REDACTED]"), count: 1 });
});

test.each([
  "$ ls /run/secrets/password.d\nshop-v2",
  "$ git rev-parse rotate-token\na58293146c67e5c5656c77f75f3ca75fab386444",
  "$ kubectl get secret shop-db -o name\nsecret/shop-db-2",
  "$ grep -c password auth.log\n1822",
  "$ echo $TOKEN_FILE\n/run/token2",
  "$ vault read secret/a\nKey2\n---\nb",
])("SR-45 what lists, counts or names answers no secret: %s", (text) => {
  expect(redact(text)).toMatchObject({ ok: true, text });
});
