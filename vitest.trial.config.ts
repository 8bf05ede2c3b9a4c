import { defineConfig } from "vitest/config";
import { onTrial } from "./test/on-trial.ts";
import all from "./vitest.all.config.ts";

/** The long tests that are on trial. */
export default defineConfig({ test: { ...all.test, include: [...onTrial], exclude: [] } });
