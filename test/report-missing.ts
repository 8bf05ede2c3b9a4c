import type { Reporter, TestModule } from "vitest/node";
import { forgetMissing, missingSoFar } from "./missing.ts";
import { onTrial } from "./on-trial.ts";

/**
 * Ends a test run with what was left out for want of a tool and what passed only when it was tried again, so that green never hides
 * a test that did not run, or not well.
 */
export function reportMissing(): Reporter {
  return {
    onTestRunStart: forgetMissing,
    onTestRunEnd: (modules) => {
      const lines = missingSoFar();
      const again = modules.flatMap(triedAgain);
      if (again.length > 0)
        console.log(["Passed only when tried again:", ...again.map((line) => `  ${line}`)].join("\n"));
      console.log(["On trial, in `npm run test:trial` alone:", ...onTrial.map((file) => `  ${file}`)].join("\n"));
      if (lines.length === 0) console.log("Every tool was there: nothing was left out.\n");
      else
        console.log(["Left out, because a tool is not installed:", ...lines.map((line) => `  ${line}`), ""].join("\n"));
    },
  };
}

/** What had waited too long the first time (test/patience.ts), with the words in which it failed. */
const triedAgain = ({ children, relativeModuleId }: TestModule): readonly string[] =>
  [...children.allTests()]
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => {
      const [error] = test.result().errors ?? [];
      return `${relativeModuleId}: ${test.fullName}: ${error?.message.split("\n", 1)[0] ?? ""}`;
    });
