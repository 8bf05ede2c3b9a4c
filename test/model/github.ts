import type { Role } from "../../src/base/github.ts";
import type { Deps } from "../../src/features/context.ts";
import type { MissedWebhooks } from "../../src/github/app/missed.ts";
import { type Comments, markerOf, type PostResult } from "../../src/github/comments.ts";
import type { Facts } from "../../src/github/facts.ts";
import type { WriteFailure } from "../../src/github/outcome.ts";
import type { Time } from "./time.ts";

/** `refuse`: not done; `lose`: done, and the answer never arrives; `limit`: not done, and not to be asked again for a minute. */
type GitHubFault = "refuse" | "lose" | "limit";

/** A webhook call that GitHub owes the bot. Under a GUID it may be tried again. */
export interface Webhook {
  readonly guid: string;
  readonly event: string;
  readonly payload: string;
  /** How its last try ended. */
  state: "waiting" | "accepted" | "failed" | "lost";
  /** When its own GUID was not accepted, newest first. */
  readonly failedAt: Date[];
  /** Under which GUIDs it was accepted: its own, and those of other hooks that tell the same (F-02). */
  readonly acceptedAs: Set<string>;
}

/** How a request gets to the outside and its answer back; each way is a step on which other things may come first. */
export type Wire = <T>(what: string, act: () => T) => Promise<T>;

export interface GitHub extends ReturnType<typeof createThreads> {
  readonly webhooks: readonly Webhook[];
  /** What a bot sees of it. Its requests go over the wire it is given, so that they die with its process. */
  readonly doors: (wire: Wire) => Doors;
  /** The next requests fail; what has struck is taken out. */
  readonly faults: GitHubFault[];
  /** How it stood when a bot was told last what an approval rests on, and each time within the two seconds before. */
  readonly seen: () => readonly Truth[];
  readonly truth: () => Truth;
}

export type Doors = Pick<
  Deps,
  "comments" | "issues" | "labels" | "facts" | "conversation" | "readComments" | "ownName" | "context"
> & { readonly missed: MissedWebhooks };

/** Everything that decides whether somebody may have something run, as it stood at one moment. */
export interface Truth {
  readonly at: Date;
  readonly private: boolean;
  readonly open: boolean;
  /** The ids of those who may approve. */
  readonly approvers: ReadonlySet<number>;
  /** What people have written and not changed since. */
  readonly remarks: readonly Pick<Remark, "id" | "body" | "authorId" | "createdAt">[];
}

const team = "acme/oncall";

/** An emulated GitHub of one repository, as small as the bot's doors to it. */
export function createGitHub(time: Time): GitHub {
  const webhooks: Webhook[] = [];
  const faults: GitHubFault[] = [];
  const threads = createThreads(time, (event, payload) => {
    const guid = `g-${webhooks.length + 1}`;
    webhooks.push({
      guid,
      event,
      payload: JSON.stringify(payload),
      state: "waiting",
      failedAt: [],
      acceptedAs: new Set(),
    });
  });
  const { repo, people, issue } = threads;
  const truth = (): Truth => ({
    at: time.now(),
    private: repo.private,
    open: issue.open && !issue.gone,
    approvers: new Set(
      people.filter(({ role, onCall }) => onCall && ["write", "admin"].includes(role)).map(({ id }) => id),
    ),
    remarks: issue.remarks
      .filter(({ editedAt, deleted, ours }) => !editedAt && !deleted && !ours)
      .map((r) => ({ ...r })),
  });
  let seen: readonly Truth[] = [];

  const request = async <T>(
    wire: Wire,
    what: string,
    act: () => T,
    about: "issue" | "repository" = "issue",
  ): Promise<T | WriteFailure> => {
    const arrived = await wire(`${what} →`, (): T | WriteFailure => {
      const fault = faults.shift();
      if (fault === "limit") return { kind: "later", afterMs: 60_000, isTold: true, why: "GitHub's rate limit" };
      if (fault === "refuse") return { kind: "ambiguous", why: "GitHub answered 502" };
      if (issue.gone && about === "issue") return { kind: "never", why: "GitHub answered 404" };
      const done = act();
      return fault === "lose" ? { kind: "ambiguous", why: "no answer from GitHub: reset" } : done;
    });
    return wire(`${what} ←`, () => arrived);
  };
  const read = async <T extends object>(
    wire: Wire,
    what: string,
    act: () => T,
    about: "issue" | "repository" = "issue",
  ): Promise<T> => {
    const answer = await request(wire, what, () => ({ answer: act() }), about);
    if ("answer" in answer) return answer.answer;
    throw Object.assign(new Error(answer.why), { status: statusOf[answer.kind] });
  };

  const commentsOver = (wire: Wire): Comments => ({
    create: (_, { id, body }) => request(wire, "create", () => posted(threads.write(id, body))),
    edit: async (_, { id, body, githubId, nodeId }) => {
      const edited = await request(wire, "edit", (): PostResult | WriteFailure =>
        threads.rewrite(githubId, id, body)
          ? { kind: "posted", githubId, nodeId }
          : { kind: "never", why: "GitHub answered 404" },
      );
      return edited;
    },
    remove: (_, githubId) =>
      request(wire, "remove", () => {
        const remark = issue.remarks.find(({ id }) => id === githubId);
        if (remark) remark.deleted = true;
        return { kind: "posted" };
      }),
    pin: (_, githubId) =>
      request(wire, "pin", () => {
        const remark = issue.remarks.find(({ id }) => id === githubId);
        return remark ? { kind: "posted" } : { kind: "never", why: "GitHub answered 404" };
      }),
    find: (_, id) =>
      request(wire, "find", () => {
        const ours = issue.remarks.find((remark) => remark.ours === id && !remark.deleted);
        return ours && posted(ours);
      }),
    read: (_, githubId) =>
      request(wire, "read", () => {
        const remark = issue.remarks.find(({ id, deleted }) => id === githubId && !deleted);
        return remark
          ? { kind: "read", body: remark.body }
          : { kind: "never", isGone: true, why: "GitHub answered 404" };
      }),
    minimize: () => request(wire, "minimize", () => ({ kind: "posted" })),
    react: (_, { commentId, content }) =>
      request(wire, "react", () => {
        threads.react(commentId, content);
        return { kind: "posted" };
      }),
  });

  const labelsOver = (wire: Wire): Deps["labels"] => {
    const listed = new Set<string>();
    const change = (what: string, act: () => void) =>
      request(wire, what, () => {
        act();
        return { kind: "posted" as const, on: [...issue.labels].map((name) => name.toLowerCase()) };
      });
    return {
      isListed: (_, name) => listed.has(name),
      list: (_, { name }) => change("list label", () => listed.add(name)),
      add: (_, names) =>
        change("add labels", () => {
          for (const name of names) issue.labels.add(name);
        }),
      remove: (_, name) => change("remove label", () => issue.labels.delete(name)),
    };
  };

  const factsOver =
    (wire: Wire): Deps["facts"] =>
    (question) =>
      read(wire, "facts", (): Facts => {
        const now = truth();
        seen = [...seen.filter(({ at }) => now.at.getTime() - at.getTime() <= 2_000), now];
        const found = issue.remarks.filter(({ nodeId, deleted }) => question.comments.includes(nodeId) && !deleted);
        return {
          installed: true,
          askedAt: now.at.getTime(),
          repository: { id: repo.id, name: repo.name, private: repo.private, commit: context.commit },
          issue: issue.gone ? undefined : { nodeId: issue.nodeId, open: issue.open, closedAt: issue.closedAt },
          people: new Map(
            question.people.map(({ id }) => {
              const person = people.find((known) => known.id === id);
              return [id, { role: person?.role ?? "none", teams: person?.onCall ? [team] : [] }];
            }),
          ),
          comments: new Map(
            found.map(({ id, nodeId, body, editedAt, authorId, createdAt }) => [
              nodeId,
              {
                id,
                body,
                edited: editedAt !== undefined,
                byEmail: false,
                authorId,
                createdAt,
                issueNodeId: issue.nodeId,
                editedByOthers: [],
              },
            ]),
          ),
        };
      });

  const missedOver = (wire: Wire): MissedWebhooks => ({
    failedSince: () =>
      read(wire, "deliveries", () => ({
        isWhole: true,
        attempts: webhooks.flatMap(({ guid, state, failedAt }, id) =>
          state === "failed"
            ? failedAt.map((at, index) => ({ id, guid, at, isFirst: index === failedAt.length - 1 }))
            : [],
        ),
      })),
    redeliver: async (at) => {
      await read(wire, "redeliver", () => {
        const webhook = webhooks[at];
        if (webhook) webhook.state = "waiting";
        return {};
      });
    },
    commentsSince: (_, since) =>
      read(wire, "comments", () =>
        issue.remarks
          .filter(({ createdAt, editedAt, deleted }) => (editedAt ?? createdAt) >= since && !deleted)
          .map((remark) => ({
            id: remark.id,
            issue: issue.number,
            createdAt: remark.createdAt,
            updatedAt: remark.editedAt ?? remark.createdAt,
            asWritten: remark.editedAt === undefined,
            comment: threads.commentJson(remark),
            author: threads.userJson(remark.authorId),
            ours: remark.ours,
          })),
      ),
    issue: () => read(wire, "issue", () => threads.issueJson()),
  });

  return {
    ...threads,
    webhooks,
    faults,
    truth,
    seen: () => seen,
    doors: (wire) => ({
      comments: commentsOver(wire),
      facts: factsOver(wire),
      labels: labelsOver(wire),
      missed: missedOver(wire),
      issues: {
        close: async () => {
          await read(wire, "close", () => ({ done: threads.close("countersign[bot]") }));
        },
        lock: async () => {
          await read(wire, "lock", () => ({}));
        },
        open: () => Promise.reject(new Error("no schedule opens an issue here")),
        assign: () => Promise.reject(new Error("nobody is on call here")),
        accountOf: () => Promise.reject(new Error("nobody is on call here")),
        read: () =>
          read(wire, "issue", () => ({ open: issue.open && !issue.gone, labels: [...issue.labels], type: undefined })),
        reopen: () => Promise.reject(new Error("no alert opens an issue here")),
        repositoryOf: () => Promise.reject(new Error("no alert opens an issue here")),
        installationOf: async () => threads.installationId,
      },
      conversation: ({ since, until }) =>
        read(wire, "conversation", () => {
          const heard = issue.remarks.filter(
            ({ ours, deleted, id, createdAt }) => !ours && !deleted && id > (since ?? 0) && createdAt <= until,
          );
          return {
            said: heard.map(({ id, authorId, body }) => ({
              person: people.find((person) => person.id === authorId) ?? { id: 0, login: "ghost" },
              commentId: id,
              text: body,
            })),
            changed: 0,
            full: false,
            newest: heard.at(-1)?.id,
            read: [],
            thumbs: [],
          };
        }),
      readComments: async function* () {
        yield await read(wire, "all comments", () =>
          issue.remarks
            .filter(({ deleted }) => !deleted)
            .map(({ id, authorId, ours, body, createdAt, editedAt }) => ({
              id,
              login: people.find((person) => person.id === authorId)?.login,
              ours: ours !== undefined,
              body: ours === undefined ? body : `${body}\n\n${markerOf(ours)}`,
              createdAt,
              editedAt,
              editor: undefined,
              hidden: undefined,
            })),
        );
      },
      ownName: async () => "countersign",
      context: contextOver(wire),
    }),
  };

  /** Read once by each process, and known from then on. */
  function contextOver(wire: Wire): Deps["context"] {
    let isKnown = false;
    return {
      fetch: async () => {
        if (!isKnown) await read(wire, "context", () => context, "repository");
        isKnown = true;
        return context;
      },
      component: async () => ({ folders: [], instructions: [], notes: [] }),
      skillFolder: async () => new Map(),
      skillFile: async () => undefined,
      drop: () => {},
    };
  }
}

const statusOf = { later: 429, ambiguous: 502, never: 404 } as const;

const posted = ({ id, nodeId, createdAt }: Remark): PostResult => ({ kind: "posted", githubId: id, nodeId, createdAt });

const context = {
  commit: "1a2b3c4",
  instructions: [],
  scoped: [],
  rules: undefined,
  config: undefined,
  skills: [],
  workflows: [],
  notes: [],
} satisfies Awaited<ReturnType<Deps["context"]["fetch"]>>;

export interface Somebody {
  readonly id: number;
  login: string;
  role: Role;
  onCall: boolean;
}

/** A comment, whoever wrote it. */
export interface Remark {
  readonly id: number;
  readonly nodeId: string;
  readonly authorId: number;
  body: string;
  readonly createdAt: Date;
  editedAt: Date | undefined;
  deleted: boolean;
  /** Which of the bot's comments it says to be. */
  readonly ours: string | undefined;
  readonly reactions: Set<string>;
}

interface TheIssue {
  readonly number: number;
  readonly nodeId: string;
  open: boolean;
  /** When it was closed last. */
  closedAt: Date | undefined;
  /** Deleted or transferred. */
  gone: boolean;
  readonly labels: Set<string>;
  readonly remarks: Remark[];
  readonly reactions: Set<string>;
}

const botId = 90;

/** What people do on GitHub, and what it then tells; and what the bot writes. */
function createThreads(time: Time, tell: (event: string, payload: object) => void) {
  const repo = { id: 1, name: "acme/web", private: true };
  const people: Somebody[] = [
    { id: 11, login: "mona", role: "admin", onCall: true },
    { id: 12, login: "lee", role: "write", onCall: true },
    { id: 13, login: "kim", role: "write", onCall: true },
    { id: 14, login: "sam", role: "write", onCall: false },
    { id: 15, login: "eve", role: "none", onCall: false },
  ];
  const issue: TheIssue = {
    number: 7,
    nodeId: "I_7",
    open: false,
    closedAt: undefined,
    gone: false,
    labels: new Set(["incident"]),
    remarks: [],
    reactions: new Set(),
  };
  const installationId = 5;
  const userJson = (id: number): object => {
    if (id === botId) return { id, login: "countersign[bot]", type: "Bot" };
    return { id, login: people.find((person) => person.id === id)?.login ?? "ghost", type: "User" };
  };
  const issueJson = (): object => ({
    number: issue.number,
    node_id: issue.nodeId,
    title: "checkout-api: 5xx above 5 % on web-1",
    body: "Since 14:02Z.",
    state: issue.open ? "open" : "closed",
    closed_at: issue.open ? null : (issue.closedAt?.toISOString() ?? null),
    user: userJson(11),
    labels: [...issue.labels].map((name) => ({ name })),
  });
  const commentJson = (remark: Remark): object => ({
    id: remark.id,
    node_id: remark.nodeId,
    body: remark.body,
    user: userJson(remark.authorId),
    created_at: remark.createdAt.toISOString(),
  });
  const around = (action: string, senderId: number) => ({
    action,
    repository: { id: repo.id, full_name: repo.name, private: repo.private },
    installation: { id: installationId },
    sender: userJson(senderId),
  });
  const tellIssue = (action: string, by = 11) => tell("issues", { ...around(action, by), issue: issueJson() });
  const tellComment = (action: string, by: number, remark: Remark) =>
    tell("issue_comment", { ...around(action, by), issue: issueJson(), comment: commentJson(remark) });
  /** GitHub's own whole seconds, each comment in one of its own. */
  const now = (): Date => {
    time.pass(1_000);
    return time.now();
  };
  const add = (authorId: number, body: string, ours: string | undefined): Remark => {
    const id = 100 + issue.remarks.length;
    const createdAt = ours === undefined ? now() : new Date(Math.floor(time.now().getTime() / 1_000) * 1_000);
    const remark = {
      id,
      nodeId: `IC_${id}`,
      authorId,
      body,
      createdAt,
      editedAt: undefined,
      deleted: false,
      ours,
      reactions: new Set<string>(),
    };
    issue.remarks.push(remark);
    return remark;
  };
  const marked = (body: string, marker: string): string => `${body}\n\n${markerOf(marker)}`;
  return {
    installationId,
    repo,
    people,
    issue,
    userJson,
    issueJson,
    commentJson,
    open: () => {
      issue.open = true;
      tellIssue("opened");
    },
    say: (by: Somebody, body: string): Remark => {
      const remark = add(by.id, body, undefined);
      tellComment("created", by.id, remark);
      return remark;
    },
    edit: (by: Somebody, remark: Remark, body: string): void => {
      remark.body = body;
      remark.editedAt = now();
      tellComment("edited", by.id, remark);
    },
    remove: (by: Somebody, remark: Remark): void => {
      remark.deleted = true;
      tellComment("deleted", by.id, remark);
    },
    close: (login: string): void => {
      if (!issue.open) return;
      issue.open = false;
      issue.closedAt = now();
      tellIssue("closed", people.find((person) => person.login === login)?.id ?? botId);
    },
    reopen: () => {
      issue.open = true;
      tellIssue("reopened");
    },
    transfer: () => {
      issue.gone = true;
      tellIssue("transferred");
    },
    publicise: () => {
      repo.private = false;
      tell("repository", around("publicized", 11));
    },
    rename: (who: Somebody, login: string): void => {
      who.login = login;
    },
    write: (marker: string, body: string): Remark => add(botId, marked(body, marker), marker),
    /** False if the comment is gone. */
    rewrite: (id: number, marker: string, body: string): boolean => {
      const remark = issue.remarks.find((candidate) => candidate.id === id);
      if (!remark || remark.deleted) return false;
      remark.body = marked(body, marker);
      remark.editedAt = time.now();
      return true;
    },
    react: (commentId: number, content: string): void => {
      const on = commentId === 0 ? issue : issue.remarks.find(({ id }) => id === commentId);
      on?.reactions.add(content);
    },
  };
}
