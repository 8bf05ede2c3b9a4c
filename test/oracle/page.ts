import { join } from "node:path";
import { expect, it } from "vitest";
import { environment } from "../../src/config/load.ts";
import { usePage } from "../rendered/play-page.ts";
import { writeText } from "./files.ts";

const playPage = usePage();

it("writes every comment that can be posted", async () => {
  const { ORACLE_OUT: out } = environment();
  if (out === undefined) throw new Error("ORACLE_OUT names the folder");
  const page = await playPage();
  writeText(join(out, "page.md"), page);
  expect(page).toContain("# Every message");
});
