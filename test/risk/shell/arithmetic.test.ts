import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string): string => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("arithmetic in a word", () => {
  test.each(["1-1", "0x0", "2*(3-3)", "5==6", "1 ? 0 : 1", "16#0", "7 % 7", "!1", "i-i"])(
    "AR-01 $((%s)) is nought",
    (sum) => {
      expect(riskOf(`i=4; auditctl -e $((${sum}))`)).toBe("block");
    },
  );

  test.each(["1+1", "x", "$(date +%s)", "1/0", `1${"+1".repeat(500)}`])("SR-33 $((%s)) is not", (sum) => {
    expect(riskOf(`auditctl -e $((${sum}))`)).toBe("high");
  });
});
