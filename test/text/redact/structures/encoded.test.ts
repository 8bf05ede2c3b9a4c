import { expect, test } from "vitest";
import { createRedactor } from "../../../../src/text/redact.ts";

const redact = createRedactor();
const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("SR-45 base64 is hidden as a whole where a secret stands in it, on one line or wrapped", () => {
  const settings = base64("DB_HOST=db-1\nDB_PASSWORD=hunter27\n".repeat(4));
  expect(redact(`config: ${settings} ok`)).toMatchObject({ text: "config: [REDACTED] ok" });
  const lines = settings.replace(/.{76}/g, "$&\n");
  expect(redact(`begin\n${lines}\nend`)).toMatchObject({ text: "begin\n[REDACTED]\nend" });
});

test("SR-45 base64 of harmless text stays, and what only looks like base64", () => {
  const text = `a ${base64("Welcome to the shop, build 1442, have a nice day")} /usr/share/doc/base-passwd/changelog ${"ab12".repeat(16)}`;
  expect(redact(text)).toMatchObject({ text });
});

test("SR-45 colours between a name, its sign and its value hide nothing from the redactor", () => {
  const text = "\u001b[32mDB_PASSWORD\u001b[0m=\u001b[33;1mhunter27\u001b[0m\n\u001b[32mDB_HOST\u001b[0m=db-1";
  expect(redact(text)).toMatchObject({ text: text.replace("hunter27", "[REDACTED]") });
});

test("SR-45 a drawn value that a name tells once is hidden wherever it stands alone, also in the next window", () => {
  const token = "gR8kd02LmQzTr5WvYx1N";
  const far = "all is well\n".repeat(60_000);
  const result = redact(`[[ -n ${token} ]]\nAPI_KEY=${token}\n${far}sent ${token}, not x${token}`);
  expect(result).toMatchObject({
    text: `[[ -n [REDACTED] ]]\nAPI_KEY=[REDACTED]\n${far}sent [REDACTED], not x${token}`,
  });
});
