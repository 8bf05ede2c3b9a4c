import { expect, test } from "vitest";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();
const textOf = (given: string): string => {
  const redacted = redact(given);
  return redacted.ok ? redacted.text : redacted.reason;
};

test.each([
  ["<key>password</key><value>hunter22x</value>", "<key>password</key><value>[REDACTED]</value>"],
  ["<name>db.password</name>\n  <value>hunter22x</value>", "<name>db.password</name>\n  <value>[REDACTED]</value>"],
  ["<key>password_file</key><value>/etc/x</value>", "<key>password_file</key><value>/etc/x</value>"],
  ["<name>account</name><value>1234</value>", "<name>account</name><value>1234</value>"],
])("SR-45 a secret's name and its value in XML: %j", (given, wanted) => expect(textOf(given)).toBe(wanted));
