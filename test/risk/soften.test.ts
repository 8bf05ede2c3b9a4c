import { expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { whatToDrop } from "../../src/risk/soften.ts";

const evaluate = createEvaluator();
const dropped = (command: string): readonly string[] =>
  whatToDrop(command, (text) => evaluate(text, { os: "linux", shell: "bash" }).risk);

test.each([
  ["a redirection", "df -h > /etc/hosts", ["> /etc/hosts"]],
  ["an option", "find /var/log -name x -delete", ["-delete"]],
  ["the second command", "ls; rm x", ["; rm x"]],
  ["the first command", "systemctl restart nginx; systemctl status nginx", ["systemctl restart nginx;"]],
  ["the end of a pipe", "df -h | tee /etc/x", ["| tee /etc/x"]],
  ["nothing that has a value after it", "curl -X POST http://a.example", []],
  ["nothing of a command that is low", "df -h | head", []],
  ["nothing of a command of one part", "rm -rf /srv/x", []],
  ["nothing where two parts would have to go", "rm a; ls; rm b", []],
  ["nothing of what cannot be read", "rm a; (", []],
])("POLICY-6 what would have to go for a command to be low: %s", (_name, command, parts) => {
  expect(dropped(command)).toEqual(parts);
});
