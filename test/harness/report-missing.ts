import type { Reporter } from "vitest/node";
import { forgetMissing, missingSoFar } from "./missing.ts";

/** Ends a test run with what was left out for want of a tool, so that green never hides a test that did not run. */
export function reportMissing(): Reporter {
  return {
    onTestRunStart: forgetMissing,
    onTestRunEnd: () => {
      const lines = missingSoFar();
      if (lines.length === 0) console.log("Every tool was there: nothing was left out.\n");
      else
        console.log(["Left out, because a tool is not installed:", ...lines.map((line) => `  ${line}`), ""].join("\n"));
    },
  };
}
