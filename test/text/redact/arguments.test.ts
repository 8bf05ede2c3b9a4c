import { expect, test } from "vitest";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();

test.each([
  ['a0="mysql" a1="-uapp" a2="-phunter27" a3="shop"', 'a0="mysql" a1="-uapp" a2="-p[REDACTED]" a3="shop"'],
  ['["sshpass", "-p", "xv73Oh", "ssh", "web-1"]', '["sshpass", "-p", "[REDACTED]", "ssh", "web-1"]'],
  ['"Cmd": [\n  "redis-cli",\n  "-a",\n  "gR8kd02L"\n]', '"Cmd": [\n  "redis-cli",\n  "-a",\n  "[REDACTED]"\n]'],
  ['a0="vault-sync" a1="--password" a2="gR8kd02L"', 'a0="vault-sync" a1="--password" a2="[REDACTED]"'],
  ['["sudo", "curl", "dpkg -l", "Password for x:"]', '["sudo", "curl", "dpkg -l", "Password for x:"]'],
  ['["mkdir", "-p", "/srv/data1"]', '["mkdir", "-p", "/srv/data1"]'],
])("SR-45 a list of arguments is read as the command line it is: %s", (text, expected) => {
  expect(redact(text)).toMatchObject({ ok: true, text: expected });
});
