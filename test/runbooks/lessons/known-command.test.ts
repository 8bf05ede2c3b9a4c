import { expect, test } from "vitest";
import { createKnows } from "../../../src/runbooks/lessons.ts";

const body = [
  "## Verify",
  "```sh",
  "df -h",
  "du -xh --max-depth=2 /var \\",
  "  | sort -rh",
  "# a comment",
  "```",
  "## Something else",
  "```bash",
  "$ sudo systemctl restart <unit>.service",
  "kubectl -n {{ns}} get pods",
  "ssh $HOST_NAME uptime",
  "# check: curl -s localhost:8080/health",
  "# undo: systemctl stop shop.service",
  "```",
  "```yaml",
  "reboot",
  "```",
].join("\n");
const knows = createKnows([{ body: "nothing" }, { body }]);

test.each([
  ["df -h", true],
  ["  df   -h ", true],
  ["sudo df -h", true],
  ["du -xh --max-depth=2 /var | sort -rh", true],
  ["systemctl restart shop.service", true],
  ["kubectl -n web get pods", true],
  ["ssh web-1 uptime", true],
  ["df -h\nsystemctl restart shop.service", true],
  ["curl -s localhost:8080/health", true],
  ["systemctl stop shop.service", true],
  ["df -i", false],
  ["df -h\nreboot", false],
  ["systemctl restart .service", false],
  ["systemctl restart shop.service nginx.service", false],
  ["reboot", false],
  ["# a comment", false],
])("PRODUCT a runbook has %j: %s", (command, expected) => {
  expect(knows(command)).toBe(expected);
});

test("PRODUCT without any runbook none has it", () => {
  expect(createKnows([])("df -h")).toBe(false);
});
