import type { Reporter } from "vitest/node";
import { onTrial } from "../on-trial.ts";
import { forgetMissing, missingSoFar } from "./missing.ts";

/** Ends a test run with what was left out for want of a tool, so that green never hides a test that did not run. */
export function reportMissing(): Reporter {
  return {
    onTestRunStart: forgetMissing,
    onTestRunEnd: () => {
      const lines = missingSoFar();
      console.log(["On trial, in `npm run test:trial` alone:", ...onTrial.map((file) => `  ${file}`)].join("\n"));
      if (lines.length === 0) console.log("Every tool was there: nothing was left out.\n");
      else
        console.log(["Left out, because a tool is not installed:", ...lines.map((line) => `  ${line}`), ""].join("\n"));
    },
  };
}
