import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { CommentView, IssueSummary, IssueView, PageGitHub, Traffic } from "./github.ts";

interface Reader {
  readonly issues: () => Promise<readonly IssueSummary[]>;
  readonly issue: (number: number) => Promise<IssueView>;
}

/** One open page: what it looks at, and what it already has. */
interface Viewer {
  readonly response: ServerResponse;
  readonly issue: number | undefined;
  readonly known: Map<string, string>;
  order: string;
  heading: string;
}

export interface Live {
  /** Turns a response into an event stream for one issue, or for the list. */
  readonly attach: (response: ServerResponse, issue: number | undefined) => void;
  readonly close: () => void;
}

const settleMs = 40;
const beatMs = 20_000;
const maxHistory = 400;

const digest = (value: unknown): string => createHash("sha1").update(JSON.stringify(value)).digest("base64");

/** The page's own reading is no news to anybody; whatever a person or the bot writes is. */
const isOwnReading = (traffic: Traffic, people: ReadonlySet<string>): boolean =>
  traffic.kind === "request" && traffic.method === "GET" && people.has(traffic.by);

/** Watches the traffic and tells open pages what has changed: only changed comments are sent again. */
export const createLive = (options: {
  readonly github: PageGitHub;
  readonly reader: Reader;
  readonly people: readonly string[];
}): Live => {
  const { github, reader } = options;
  const people = new Set(options.people);
  const viewers = new Set<Viewer>();
  const history: { readonly at: number; readonly traffic: Traffic }[] = [];
  const counts = { webhook: 0, request: 0 };
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let again = false;

  const send = ({ response }: Viewer, event: string, data: unknown): void => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };

  const sendIssue = (viewer: Viewer, issue: IssueView): void => {
    const { thread, ...heading } = issue;
    const changed: CommentView[] = [];
    for (const comment of thread) {
      const hash = digest(comment);
      if (viewer.known.get(comment.id) === hash) continue;
      viewer.known.set(comment.id, hash);
      changed.push(comment);
    }
    const order = thread.map((comment) => comment.id);
    const isNews = changed.length > 0 || viewer.order !== order.join() || viewer.heading !== digest(heading);
    if (!isNews) return;
    viewer.order = order.join();
    viewer.heading = digest(heading);
    send(viewer, "issue", { heading, order, changed });
  };

  const refresh = async (): Promise<void> => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        const wanted = new Set([...viewers].map((viewer) => viewer.issue));
        if (wanted.has(undefined)) {
          const issues = await reader.issues();
          for (const viewer of viewers) if (viewer.issue === undefined) send(viewer, "issues", issues);
        }
        for (const number of wanted) {
          if (number === undefined) continue;
          const issue = await reader.issue(number).catch(() => undefined); // Deleted or transferred: the page says so.
          for (const viewer of viewers) {
            if (viewer.issue !== number) continue;
            if (issue) sendIssue(viewer, issue);
            else send(viewer, "gone", { number });
          }
        }
      } while (again);
    } finally {
      reading = false;
    }
  };

  const refreshSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      refresh().catch((thrown: unknown) => {
        for (const viewer of viewers) send(viewer, "trouble", { message: String(thrown) });
      });
    }, settleMs);
  };

  const stop = github.onTraffic((traffic) => {
    if (isOwnReading(traffic, people)) return;
    counts[traffic.kind] += 1;
    const entry = { at: Date.now(), traffic };
    history.push(entry);
    if (history.length > maxHistory) history.shift();
    for (const viewer of viewers) send(viewer, "traffic", { entries: [entry], counts });
    const writes = traffic.kind === "request" && traffic.method !== "GET";
    if (writes) refreshSoon();
  });

  const beat = setInterval(() => {
    for (const { response } of viewers) response.write(": still here\n\n");
  }, beatMs);
  beat.unref();

  return {
    attach: (response, issue) => {
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      const viewer: Viewer = { response, issue, known: new Map(), order: "", heading: "" };
      viewers.add(viewer);
      response.on("close", () => viewers.delete(viewer));
      send(viewer, "traffic", { entries: history, counts });
      refreshSoon();
    },
    close: () => {
      stop();
      clearInterval(beat);
      clearTimeout(timer);
      for (const { response } of viewers) response.end();
      viewers.clear();
    },
  };
};
