import { describe, expect, it } from "vitest";
import { lookAtSource, sourceRunner } from "../../../src/cli/check/server.ts";
import { mcpServer, search, toolServer } from "../../sources/mcp-stand-in.ts";
import { ca, standIn, success } from "../../sources/stand-in.ts";
import { sourceServer } from "../../sources/world.ts";

describe("check of a source", () => {
  it("CFG-1 asks it a question without data, and says why it does not answer", async () => {
    const { url, asked } = await standIn(success("vector", [{ metric: {}, value: [1, "1"] }]));
    expect(await lookAtSource(sourceRunner(), sourceServer({ kind: "loki", url, ca }))).toEqual({
      said: `${url} answers queries`,
    });
    expect(asked).toMatchObject([{ url: "POST /loki/api/v1/query", form: { query: "vector(1)", limit: "1" } }]);
    const denied = await standIn({ status: "error", error: "no such token" }, 401);
    const problem = { place: "sources.prom", remedy: expect.stringContaining("token_file") };
    expect(await lookAtSource(sourceRunner(), sourceServer({ url: denied.url, ca }))).toMatchObject({
      problems: [{ ...problem, message: "HTTP 401: no such token" }],
    });
    expect(await lookAtSource(sourceRunner(), sourceServer({ url, ca, tokenFile: "/none" }))).toMatchObject({
      problems: [{ ...problem, message: expect.stringContaining("the token of prom cannot be read") }],
    });
  });

  it("CFG-1 compares the tools of an MCP server, shows what they are now, and calls none", async () => {
    const stand = await mcpServer();
    const look = (on = toolServer(stand)) => lookAtSource(sourceRunner(), on);
    expect(await look()).toEqual({ said: "as listed: search_logs, restart", problems: [] });
    const first = await look(toolServer(stand, { tools: {} }));
    const hash = toolServer(stand).source?.tools?.restart;
    expect(first.said).toContain(`\n  not listed: sha256: ${hash} {"name":"restart","inputSchema":{"type":"object"}}`);
    const before = toolServer(stand);
    stand.server.tools = [{ ...search, description: "now \u001b[31m\u202e" }];
    const now = toolServer(stand).source?.tools?.search_logs;
    expect(await look(before)).toEqual({
      said: "as listed: none",
      problems: [
        {
          place: "sources.tickets.tools.search_logs",
          message: expect.stringContaining("tickets has changed its tool `search_logs`"),
          remedy: expect.stringContaining(
            `sha256: ${now} {"name":"search_logs","description":"now \\u001b[31m\\u202e"`,
          ),
        },
        {
          place: "sources.tickets.tools.restart",
          message: "tickets has no tool `restart` any more",
          remedy: "take it out of `tools`",
        },
      ],
    });
    stand.server.instead = (_, response) => {
      response.writeHead(401).end();
      return true;
    };
    expect(await look()).toMatchObject({
      said: "tickets does not answer as an MCP server: HTTP 401",
      problems: [{ place: "sources.tickets", remedy: expect.stringContaining("token_file") }],
    });
    expect(stand.asked).not.toContain("tools/call");
  });
});
