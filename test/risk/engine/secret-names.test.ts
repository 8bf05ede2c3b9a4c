import { expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const levelOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

test.each([
  "/etc/openvpn/auth.txt",
  "/srv/db-credentials.txt",
  "creds",
  "users-passwords.csv",
  "/opt/app/api_keys_prod.json",
  "login.txt",
  "secrets.ini.bak",
])("issue 37: the content of %s, a file whose name says that it holds secrets, is not low", (file) => {
  for (const reading of [`cat ${file}`, `head -n 3 ${file}`, `grep -i db ${file}`, `sort < ${file}`])
    expect([reading, levelOf(reading)]).not.toContain("low");
  for (const around of [`ls -l ${file}`, `stat ${file}`, `wc -l ${file}`]) expect(levelOf(around)).toBe("low");
});

test.each([
  "/etc/passwd",
  "/etc/pam.d/common-password",
  "/var/log/auth.log",
  "/var/log/secrets.log",
  "/usr/share/doc/passwords.txt",
  "src/secret.go",
  "docs/tokens.md",
  "tokenizer.json",
  "/etc/login.defs",
  "bypass.txt",
])("issue 37: the content of %s, which only sounds like it, is low", (file) =>
  expect(levelOf(`cat ${file}`)).toBe("low"),
);
