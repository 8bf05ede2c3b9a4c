import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { startDemo } from "../../demo/demo.ts";
import { headOf, playIncidentScene } from "./incident-scene.ts";

/** `npm run picture`: makes docs/incident.png, docs/incident.txt with what it shows, and README's words for it. */

const width = 960;
const demo = await startDemo({ port: 0 });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const { issue, firstComment, text, caption } = await playIncidentScene(demo);
  const page = await browser.newPage({ viewport: { width, height: 1_200 }, deviceScaleFactor: 1 });
  await page.goto(`${demo.bot.url}/issues/${issue}`);
  await page.getByText("Done. If it is healthy").waitFor();
  const read = await demo.github.as("mona")("GET", `/repos/acme/oncall/issues/${issue}/comments?per_page=100`);
  const first = (read.body as readonly { readonly id: number }[]).findIndex(({ id }) => id === firstComment);
  // Beside the issue, and in a long picture before it.
  await page.evaluate('for (const part of document.querySelectorAll(".top, #wire")) part.remove()');
  // The issue's own text is the first of the page.
  const articles = page.locator(".thread > .comment");
  const top = await articles.nth(first + 1).boundingBox();
  const bottom = await articles.last().boundingBox();
  if (!top || !bottom) throw new Error("the page does not show the incident");
  const y = ((await page.evaluate("scrollY")) as number) + top.y - 8;
  const height = bottom.y + bottom.height - top.y + 16;
  await page.screenshot({ path: "docs/incident.png", fullPage: true, clip: { x: 0, y, width, height } });
  writeFileSync("docs/incident.txt", `${headOf(readFileSync("docs/incident.png"))}\n\n${text}`);
  const readme = readFileSync("README.md", "utf8");
  writeFileSync("README.md", readme.replace(/!\[[^\]]*\]\(docs\/incident\.png\)/, `![${caption}](docs/incident.png)`));
} finally {
  await browser.close();
  await demo.close();
}
