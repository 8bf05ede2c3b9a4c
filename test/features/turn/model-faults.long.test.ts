import { describe } from "vitest";
import { faults, itGoesOnOffline } from "./model-faults.ts";

describe("a model that fails, in every way there is", () => {
  itGoesOnOffline(Object.keys(faults));
});
