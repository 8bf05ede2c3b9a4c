import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createIncidents } from "../../../demo/incidents.ts";
import { createPage } from "../../../demo/page/create-page.ts";
import type { PageGitHub } from "../../../demo/page/github.ts";
import { demoPeople } from "../../../demo/page/people.ts";

export const repo = "acme/oncall";

/** The page on a port of its own. */
export const servePage = async (
  github: PageGitHub,
  reset?: () => void,
): Promise<{ url: string; endPage: () => void; close: () => Promise<void> }> => {
  const page = createPage({ github, incidents: createIncidents(new Date()), people: demoPeople, repo, reset });
  const server = createServer((request, response) => {
    page(request, response).then(
      (isOurs) => isOurs || response.writeHead(404).end("not the page's"),
      (thrown: unknown) => response.writeHead(500).end(String(thrown)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    endPage: page.close,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
