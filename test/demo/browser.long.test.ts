import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Demo, demoRepo, startDemo } from "../../demo/demo.ts";
import { createThread, openIssue } from "../../demo/thread.ts";
import { memberOf } from "../../src/base/action.ts";
import { environment } from "../../src/config/load.ts";
import { missing } from "../harness/missing.ts";
import { until } from "../harness/until.ts";
import { useStarted } from "../harness/use-started.ts";

const executablePath = "/usr/bin/chromium";
const hasChromium = existsSync(executablePath);
if (!hasChromium) missing("chromium", "the demo was not clicked through in a browser");

/** The states of the board whose cells end beyond what is seen of their table. */
const cutStates = `[...document.querySelectorAll("table")].flatMap((table) =>
  [...table.querySelectorAll("td:nth-child(2)")]
    .filter((cell) => cell.getBoundingClientRect().right > table.getBoundingClientRect().right + 1)
    .map((cell) => cell.textContent))`;

/** The heads of comments that take more than one line once some time has gone by. */
const brokenHeads = `(async () => {
  const { ago } = await import("/page/view.js");
  const then = ago(new Date(Date.now() - 59 * 60_000).toISOString());
  return [...document.querySelectorAll(".bubble > header")].flatMap((header) => {
    for (const stamp of header.querySelectorAll("time")) stamp.textContent = then;
    return header.offsetHeight > 44 || header.scrollWidth > header.clientWidth ? [header.textContent] : [];
  });
})()`;

/** The commands of which a part is not seen. */
const cutCommands = `[...document.querySelectorAll("pre > code.language-sh")]
  .filter(({ parentElement }) => parentElement.scrollWidth > parentElement.clientWidth)
  .map((code) => code.textContent)`;

/** Where to leave pictures of the page, for whoever wants to look at them. */
const pictures = environment().COUNTERSIGN_PICTURES;

describe("the demo", () => {
  describe.runIf(hasChromium)("in a browser", () => {
    const browser = useStarted(() => chromium.launch({ executablePath, args: ["--no-sandbox"] }));
    const demo = useStarted(() => startDemo({ port: 0 }));

    it.each([
      [1280, 900, "eve"],
      // Somebody else: a person is denied in words once within ten minutes.
      [390, 844, "sam"],
    ])(
      "open, approve, see the output appear; the stranger's approval runs nothing, at %i px",
      async (width, height, stranger) => {
        const page = await browser.newPage({ viewport: { width, height } });
        const look = async (name: string): Promise<void> => {
          if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true });
        };
        const say = async (text: string, person: string): Promise<void> => {
          await page.getByRole("radio", { name: person }).check();
          await page.getByRole("textbox", { name: "Comment", exact: true }).fill(text);
          await page.getByRole("button", { name: "Comment", exact: true }).click();
        };
        await page.goto(demo.bot.url);
        await look("list");
        await page.getByRole("link", { name: "New incident" }).click();
        await look("choice");
        await page.getByRole("button", { name: /full disk on web-1/ }).click();
        await page.getByText("systemctl status checkout-api").first().waitFor();
        await page.getByText("What changed").waitFor();
        await look("card");
        const runbook = page.getByRole("link", { name: "checkout-api-5xx", exact: true });
        const [file] = await Promise.all([page.waitForEvent("popup"), runbook.click()]);
        await file.getByText("name: checkout-api-5xx").waitFor();
        await file.close();

        await say("/approve 1", stranger);
        await page.getByText("Nothing was run. Only ").waitFor();
        await say("/approve 1", "lee");
        await page.getByText("/dev/vdb1").first().waitFor({ state: "attached" });
        await look("result");
        expect(await page.evaluate(cutStates), "states of the board that a phone cuts off").toEqual([]);
        expect(await page.evaluate(brokenHeads), "heads of comments that a phone breaks").toEqual([]);
        await ranExactly(page, demo, [
          "systemctl status checkout-api",
          "journalctl -u checkout-api -p err -n 20",
          "df -h /var",
        ]);
        await say("/run web-1\n```sh\nlogrotate -f /etc/logrotate.d/checkout\n```", "lee");
        await page.getByText("/probe 2").first().waitFor();
        await look("change");
        await say("/probe 2", "lee");
        await page.getByText("removing old log").first().waitFor({ state: "attached" });
        await look("probe");
        await page.goto(`${demo.bot.url}/new`);
        await page.getByRole("button", { name: /certificate on web-2/ }).click();
        await page.getByText("openssl s_client").last().waitFor();
        expect(await page.evaluate(cutCommands), "commands that are cut off").toEqual([]);
        expect(demo.github.invalid()).toEqual([]);
        await page.close();
      },
    );

    it.each([
      [1280, 900],
      [390, 844],
    ])("issue 42.1: a patch becomes a pull request that its maintainer merges, at %i px", async (width, height) => {
      await fetch(`${demo.bot.url}/page/reset`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      const page = await browser.newPage({ viewport: { width, height } });
      const approve = async (card: RegExp): Promise<void> => {
        const wanted = page.locator("code", { hasText: /^\/approve [\d ]+$/ }).last();
        await page.getByText(card).last().waitFor();
        await page.getByRole("radio", { name: "lee" }).check();
        await page
          .getByRole("textbox", { name: "Comment", exact: true })
          .fill(((await wanted.textContent()) ?? "").trim());
        await page.getByRole("button", { name: "Comment", exact: true }).click();
      };
      const expectNarrow = async (): Promise<void> =>
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen").toBe(
          true,
        );
      await page.goto(`${demo.bot.url}/new`);
      await page.getByRole("button", { name: /killed for its memory/ }).click();
      await approve(/Why pricing does not run/);
      await page.locator("code.language-diff .added").waitFor();
      await expectNarrow();
      await approve(/Raise the memory limit of pricing/);
      await page.getByRole("link", { name: /^pull request \d+$/ }).click();
      await page.locator(".diff .removed", { hasText: "memory: 128Mi" }).waitFor();
      await expectNarrow();
      const index = "document.querySelector('.diff').scrollWidth > document.querySelector('.diff').clientWidth";
      if (width < 500) expect(await page.evaluate(index), "the long line scrolls inside its block").toBe(true);
      await page.getByRole("button", { name: "Merge as mona" }).click();
      await page.getByText("rolled out on prod-eu. Its incident").waitFor();
      await page.getByRole("link", { name: /\/issues\/\d+$/ }).click();
      await page.getByText("Check: Raise the memory limit").first().waitFor();
      expect(demo.github.invalid()).toEqual([]);
      await page.close();
    });

    it("issue 4: each button of the page can be pressed, and neither the page nor GitHub complains", async () => {
      const [incident] = demo.incidents;
      if (!incident) throw new Error("the demo has no incident");
      const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
      const thread = createThread(demo.github, demoRepo, number);
      await thread.waitFor((body) => body.includes("`/approve 1`"), "the card");
      const found: string[] = [];
      for (const path of ["/", "/new", `/issues/${number}`]) {
        const seen = new Set<string>();
        /** Which buttons lead there from the page as it is when it is opened. */
        const ways: (readonly string[])[] = [[]];
        for (const way of ways) {
          const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
          const complaints: string[] = [];
          page.on("pageerror", ({ message }) => complaints.push(message));
          const sent = new Set<string>();
          page.on("request", (request) => request.method() === "POST" && sent.add(request.url()));
          page.on("response", (response) => {
            sent.delete(response.url());
            if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
          });
          await page.goto(`${demo.bot.url}${path}`);
          await page
            .locator(path.startsWith("/issues") ? ".comment" : ".choice")
            .first()
            .waitFor();
          for (const name of way) {
            // What can be written is, so that what sends has something to send.
            for (const box of await page.locator("textarea:visible, input[type=text]:visible").all())
              if ((await box.inputValue()) === "") await box.fill("/status");
            const at = await until(async () => {
              const found = (await namesOfButtons(page)).indexOf(name);
              expect(found, name).toBeGreaterThanOrEqual(0);
              return found;
            });
            await page.locator("button").nth(at).click();
            await expect.poll(() => sent.size).toBe(0);
          }
          complaints.push(...(await page.locator("#toast .toast").allInnerTexts()));
          expect(complaints, way.join(" → ")).toEqual([]);
          // Where a button leads elsewhere, that page's turn comes by itself.
          const isStillThere = new URL(page.url()).pathname === path;
          for (const name of isStillThere ? await namesOfButtons(page) : []) {
            if (name === "" || seen.has(name)) continue;
            seen.add(name);
            if (name !== "Close incident") ways.push([...way, name]);
          }
          await page.close();
        }
        found.push(...seen);
      }
      const page = await browser.newPage();
      await page.goto(`${demo.bot.url}/issues/${number}`);
      for (const name of ["Close incident", "Reopen incident", "Close incident"])
        await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "Reopen incident" }).waitFor();
      await page.close();
      expect(found).toEqual(
        expect.arrayContaining(
          [/New|full disk/, /^Open this/, /^Break the servers/, /^Edit this/, /^Save$/, /^Cancel$/, /^Comment$/]
            .concat([/^Close incident$/, /^Put \/approve N into/, /^Closed N/])
            .map((name) => expect.stringMatching(name)),
        ),
      );
    });

    /** What its buttons say, or say to a screen reader, without numbers. */
    const namesOfButtons = async (page: Page): Promise<readonly string[]> => {
      const names: unknown = await page.evaluate(
        `[...document.querySelectorAll("button")].map((button) =>
          button.checkVisibility() ? (button.getAttribute("aria-label") ?? button.textContent).trim() : "")`,
      );
      return (names as readonly string[]).map((name) => name.replaceAll(/\d+/g, "N"));
    };

    /** What the newest incident has run, by the store. */
    async function ranExactly(page: Page, { bot }: Demo, commands: readonly string[]): Promise<void> {
      const number = Number(/\/issues\/(\d+)/.exec(page.url())?.[1]);
      const rows = await bot.deps.store.db
        .selectFrom("run")
        .innerJoin("action", "action.id", "run.actionId")
        .innerJoin("incident", "incident.id", "action.incidentId")
        .select(["action.spec", "run.step"])
        .where("incident.number", "=", number)
        .orderBy("run.step")
        .execute();
      expect(rows.map(({ spec, step }) => memberOf(spec, { step }).command)).toEqual(commands);
    }
  });
});
