import type { Reporter, TestCase } from "vitest/node";
import { missingSoFar } from "../harness/missing.ts";
import { proofs, provedBy } from "./table.ts";

interface Proof {
  tests: number;
  failed: number;
  readonly stores: Set<string>;
}

/** Which store a test was tried on, by the words of its name; most prove a part that needs none. */
function storesOf(name: string): readonly string[] {
  return [...(/\(embedded\)/.test(name) ? ["PGlite"] : []), ...(/\(server\)/.test(name) ? ["PostgreSQL"] : [])];
}

/** With what was expected and found: a judge's words stand nowhere else. */
function whyOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return [error?.stack ?? error?.message, error?.diff].filter(Boolean).join("\n");
}

/**
 * Ends the run with a line for each fault and crash point, in order: its words, the stores it was tried on, how many tests prove it,
 * and its outcome. One that failed, or that no test proves, fails the run.
 */
export function reportFaults(): Reporter {
  const found = new Map<string, Proof>(proofs.map(([id]) => [id, { tests: 0, failed: 0, stores: new Set<string>() }]));
  const began = performance.now();
  return {
    onTestCaseResult: (test: TestCase) => {
      const { state } = test.result();
      if (state === "skipped" || state === "pending") return;
      for (const id of provedBy(test.fullName)) {
        const proof = found.get(id);
        if (!proof) continue;
        proof.tests++;
        if (state === "failed") proof.failed++;
        for (const store of storesOf(test.fullName)) proof.stores.add(store);
      }
      if (state === "failed") console.log(`✗ ${test.fullName}\n${whyOf(test)}\n`);
    },
    onTestRunEnd: (modules, unhandled) => {
      // What breaks before a test begins makes no test fail, and must not look as if nothing were wrong.
      const broken = [
        ...unhandled,
        ...modules.flatMap((module) => [module, ...module.children.allSuites()].flatMap((part) => part.errors())),
      ];
      for (const { message, stack } of broken) console.log(`✗ outside of any test: ${stack ?? message}\n`);
      const lines = proofs.map(([id, words]) => {
        const { tests, failed, stores } = found.get(id) ?? { tests: 0, failed: 0, stores: new Set() };
        const outcome = tests === 0 ? "NO TEST" : failed > 0 ? `FAILED (${failed})` : "ok";
        const on = [...stores].sort().join(" and ") || "PGlite, or none needed";
        const proved = tests === 0 ? [] : [`${tests} ${tests === 1 ? "test" : "tests"}`, on];
        return `${id}  ${outcome.padEnd(10)}  ${[words, ...proved].join(" · ")}`;
      });
      const wrong = [...found.values()].filter(({ tests, failed }) => tests === 0 || failed > 0).length;
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(lines.join("\n"));
      console.log(`\n${proofs.length - wrong} of ${proofs.length} right, in ${seconds} s`);
      for (const line of missingSoFar()) console.log(`Left out, because it is not installed: ${line}`);
      if (wrong + broken.length > 0) process.exitCode = 1;
    },
  };
}
