import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { missing } from "../../harness/missing.ts";
import { useStarted } from "../../harness/use-started.ts";
import { createMemoryGitHub, type MemoryGitHub } from "./memory-github.ts";
import { repo, servePage } from "./serve.ts";
import { board, card, hostile, next, result, running } from "./texts.ts";

const executablePath = "/usr/bin/chromium";
const hasChromium = existsSync(executablePath);
if (!hasChromium) missing("chromium", "the demo's page was not tried in a browser");

const sizes = [
  [1280, 900],
  [390, 844],
] as const;

describe.runIf(hasChromium)("the page in a browser", () => {
  let github: MemoryGitHub;
  let served: { url: string; close: () => Promise<void> };
  let page: Page;
  let asked: string[];
  let complaints: string[];

  const browser = useStarted(() => chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  beforeEach(async () => {
    github = createMemoryGitHub(repo);
    served = await servePage(github);
    asked = [];
    complaints = [];
    return async () => {
      await page.close();
      await served.close();
    };
  });

  const visit = async (path: string, [width, height]: readonly [number, number] = sizes[0]): Promise<void> => {
    page = await browser.newPage({ viewport: { width, height } });
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(served.url + path);
  };
  const openIncident = () =>
    github.as("mona")("POST", `/repos/${repo}/issues`, {
      title: "web-1 is down",
      body: "since 14:02Z",
      labels: ["incident"],
    });
  const comment = async (text: string, person?: string): Promise<void> => {
    if (person) await page.getByRole("radio", { name: person }).check();
    await page.getByRole("textbox", { name: "Comment", exact: true }).fill(text);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
  };
  const thread = () => page.locator(".thread article");

  test.each(sizes)(
    "an incident of the choice is opened, approved and answered without a reload at %i px",
    async (...size) => {
      await visit("/", size);
      await page.getByRole("link", { name: "New incident" }).click();
      await page.getByRole("button", { name: /full disk on web-1/ }).click();
      await page.getByRole("heading", { name: /checkout-api: 5xx above 5 % on web-1/ }).waitFor();

      github.bot.react(1, "eyes");
      github.bot.comment(1, board);
      const first = github.bot.comment(1, card());
      await page.getByRole("button", { name: "Put /approve 1 2 3 into the comment box" }).click();
      expect(await page.getByRole("textbox", { name: "Comment", exact: true }).inputValue()).toBe("/approve 1 2 3");
      await comment("/approve 1 2", "lee");
      await expect.poll(() => thread().last().locator(".author").textContent()).toBe("lee");

      const run = github.bot.comment(1, running);
      await page.getByText("running for 1 s").waitFor();
      github.bot.edit(run, result);
      github.bot.edit(first, card(true));
      github.bot.comment(1, next);
      await page.getByText("exit 1 · 0.9 s").waitFor();
      await page.getByText("CONFIRMED", { exact: true }).waitFor();
      expect(await page.locator('.markdown-body input[type="checkbox"]:checked').count()).toBe(2);
      expect(await page.locator('.markdown-body input[type="checkbox"]:not([disabled])').count()).toBe(0);
      expect(await page.locator(".comment .edited").count()).toBe(2);
      expect(await page.getByRole("img", { name: "eyes: 1" }).count()).toBe(1);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(size[0]);
      expect(complaints).toEqual([]);
    },
  );

  test.each(sizes)(
    "the first page shows the five incidents at once, and each opens at a click, at %i px",
    async (...size) => {
      await visit("/", size);
      const choices = page.locator(".choice");
      await choices.nth(4).waitFor();
      expect(await choices.count()).toBe(5);
      const { y = 0, height = 0 } = (await choices.nth(4).boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(size[1]);
      expect(await page.locator(".box").isVisible()).toBe(false);
      expect(await page.getByText("or open another").isVisible()).toBe(false);
      await choices.nth(1).click();
      await page.getByRole("heading", { name: /PostgresqlTooManyConnections/ }).waitFor();
      await page.goto(served.url);
      await page.getByRole("link", { name: /PostgresqlTooManyConnections/ }).waitFor();
      expect(await choices.count()).toBe(5);
      expect(complaints).toEqual([]);
    },
  );

  describe("an opened issue", () => {
    const long = `Nothing yet.\n\n${"- a line\n".repeat(80)}`;
    const placeOf = (text: string) =>
      page.locator("article", { hasText: text }).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top: Math.round(top), bottom: Math.round(bottom) };
      });

    test.each(sizes)("scrolls to its newest card, at %i px", async (...size) => {
      await openIncident();
      for (const body of [board, long, next]) github.bot.comment(1, body);
      await visit("/issues/1", size);
      await page.getByText("by 2: the volume is full").waitFor();
      expect((await placeOf("by 2: the volume is full")).bottom).toBeLessThanOrEqual(size[1]);
    });

    test.each(sizes)("scrolls to the last word where nothing waits for anybody, at %i px", async (...size) => {
      await openIncident();
      for (const body of [board, long, result]) github.bot.comment(1, body);
      await visit("/issues/1", size);
      await page.getByText("exit 1 · 0.9 s").waitFor();
      expect((await placeOf("exit 1 · 0.9 s")).bottom).toBeLessThanOrEqual(size[1]);
    });

    test("goes to its first card when that comes, and moves nobody who writes", async () => {
      await openIncident();
      await visit("/issues/1", sizes[1]);
      await page.getByText("since 14:02Z").waitFor();
      github.bot.comment(1, long);
      await page.getByText("Nothing yet.").waitFor();
      expect(await page.evaluate("scrollY")).toBe(0);
      github.bot.comment(1, card());
      // Below the bar on top, as far as the page reaches.
      await expect.poll(async () => (await placeOf("The spike began")).bottom).toBeLessThanOrEqual(844);
      expect((await placeOf("The spike began")).top).toBeGreaterThanOrEqual(68);
      await page.reload();
      await page.getByText("The spike began").waitFor();
      await page.getByRole("textbox", { name: "Comment", exact: true }).fill("one moment");
      const at = await page.evaluate("scrollY");
      github.bot.comment(1, next);
      await page.getByText("by 2: the volume is full").waitFor();
      expect(await page.evaluate("scrollY")).toBe(at);
    });
  });

  test("each of the four comments under their own name, and the line says what they may", async () => {
    await openIncident();
    await visit("/issues/1");
    await page.getByRole("radio", { name: "sam" }).check();
    expect(await page.locator("#may").textContent()).toContain("but not approve");
    await comment("/approve 1", "sam");
    await page.locator("article").nth(1).waitFor();
    expect(github.comments(1)).toMatchObject([{ login: "sam", body: "/approve 1" }]);
  });

  test("what GitHub refuses a stranger is said and leaves the text in the box", async () => {
    await openIncident();
    await visit("/issues/1");
    await comment("/approve 1", "eve");
    await page.getByText("GitHub answered 404 to eve: Not Found").waitFor();
    expect(await page.getByRole("textbox", { name: "Comment", exact: true }).inputValue()).toBe("/approve 1");
    expect(github.comments(1)).toEqual([]);
  });

  test("the bot's card can be edited by mona, hidden marker and all, to show what SR-27 does about it", async () => {
    await openIncident();
    const id = github.bot.comment(1, "<!-- countersign:card -->\n- [ ] **1** `df -h`");
    await visit("/issues/1");
    await page.getByRole("button", { name: "Edit this comment by countersign" }).click();
    const box = page.getByRole("textbox", { name: "Text of the comment by countersign" });
    expect(await box.inputValue()).toContain("<!-- countersign:card -->");
    await box.fill("<!-- countersign:card -->\n- [ ] **1** `rm -rf /srv`");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("rm -rf /srv").waitFor();
    expect(github.comments(1)).toMatchObject([{ id, body: expect.stringContaining("rm -rf") }]);
    expect(await page.locator("article").nth(1).locator(".edited").count()).toBe(1);
  });

  test("an opened output stays open when its comment is edited", async () => {
    await openIncident();
    const id = github.bot.comment(1, result);
    await visit("/issues/1");
    await page.getByText("Output, 14 lines").click();
    github.bot.edit(id, `${result}\n\nand one line more`);
    await page.getByText("and one line more").waitFor();
    expect(await page.locator("details").evaluate((details: { open?: boolean }) => details.open)).toBe(true);
  });

  test("what a comment smuggles in neither runs nor loads anything", async () => {
    await openIncident();
    github.bot.comment(1, hostile);
    await visit("/issues/1");
    await page.getByText("visible").waitFor();
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.locator(".thread :is(script, img, iframe, style, form.evil, [style], [onerror])").count()).toBe(
      0,
    );
    expect(await page.locator('.thread a[href^="javascript"]').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(served.url) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("an incident is closed and reopened, and the list tells them apart", async () => {
    await openIncident();
    await visit("/issues/1");
    await page.getByRole("button", { name: "Close incident" }).click();
    await page.getByRole("button", { name: "Reopen incident" }).waitFor();
    await page.getByRole("link", { name: "oncall" }).click();
    await page.getByRole("button", { name: "Closed 1" }).click();
    await page.getByRole("link", { name: "web-1 is down" }).click();
    await page.getByRole("button", { name: "Reopen incident" }).click();
    await page.getByRole("button", { name: "Close incident" }).waitFor();
  });

  test("the servers can be broken again where the demo offers it", async () => {
    let resets = 0;
    const other = await servePage(github, () => {
      resets += 1;
    });
    await visit("/new");
    expect(await page.getByRole("button", { name: "Break the servers again" }).count()).toBe(0);
    await page.goto(`${other.url}/new`);
    await page.getByRole("button", { name: "Break the servers again" }).click();
    await page.getByText("broken again, as at the start").first().waitFor();
    expect(resets).toBe(1);
    await page.goto("about:blank");
    await other.close();
  });

  test("the panel shows webhooks and requests as they pass, in a drawer on a phone", async () => {
    await openIncident();
    await visit("/issues/1", sizes[1]);
    await page.getByRole("heading", { name: "web-1 is down" }).waitFor();
    expect(await page.locator("#wire").isVisible()).toBe(false);
    await page.getByRole("button", { name: /^Wire/ }).click();
    await page.getByText("issues.opened").waitFor();
    github.bot.comment(1, "hello");
    await expect.poll(() => page.locator(".wire-row").first().textContent()).toContain("issues/create-comment");
    expect(await page.locator("#count-webhook").textContent()).toBe("1");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("#wire").isVisible()).toBe(false);
  });

  test("the comment box works by keyboard alone", async () => {
    await openIncident();
    await visit("/issues/1");
    await page.getByRole("radio", { name: "mona" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await page.keyboard.type("/status");
    await page.keyboard.press("Control+Enter");
    await page.locator("article").nth(1).waitFor();
    expect(github.comments(1)).toMatchObject([{ login: "lee", body: "/status" }]);
  });
});
