import { describe } from "vitest";
import { itGoesOnOffline } from "./model-faults.ts";

describe("a model that fails", () => {
  itGoesOnOffline(["a hang", "a 429 that asks for 120 s"]);
});
