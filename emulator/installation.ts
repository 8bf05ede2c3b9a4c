import type { Repo, User } from "./wire/shapes.ts";
import { toSeconds } from "./wire/shapes.ts";

/** The App and its one installation, on the owner of the seed. */
export interface Installation {
  readonly id: number;
  /** What was granted. */
  readonly permissions: () => Readonly<Record<string, string>>;
  /** The App asks for them, and they are granted. */
  readonly setPermissions: (permissions: Readonly<Record<string, string>>) => void;
  /** What the App asks for stays. */
  readonly setGranted: (permissions: Readonly<Record<string, string>>) => void;
  readonly setEvents: (events: readonly string[]) => void;
  readonly state: () => "active" | "suspended" | "deleted";
  /** Whether tokens that were minted before count: not once it is gone, but for the while that a cache may hold. */
  readonly takesTokens: () => boolean;
  readonly setState: (state: "active" | "suspended" | "deleted", how?: { readonly tokensGoOn: boolean }) => void;
  /** Whether the App may see the repository: the owner's, and not taken out. */
  readonly covers: (repo: Repo) => boolean;
  readonly include: (repoId: number, included: boolean) => void;
  readonly appJson: () => object;
  readonly json: () => object;
}

const allEvents: readonly string[] = [
  "installation",
  "installation_repositories",
  "issue_comment",
  "issues",
  "push",
  "repository",
];

export interface InstallationInput {
  readonly app: { readonly id: number; readonly slug: string; readonly permissions: Readonly<Record<string, string>> };
  readonly owner: User;
  readonly url: string;
}

export function createInstallation({ app, owner, url }: InstallationInput): Installation {
  const id = 40_000_000 + app.id;
  const created = toSeconds(new Date());
  const left = new Set<number>();
  let asked = app.permissions;
  let permissions = asked;
  let events = allEvents;
  let state: ReturnType<Installation["state"]> = "active";
  let tokensGoOn = false;

  return {
    id,
    permissions: () => permissions,
    setPermissions: (wanted) => {
      asked = wanted;
      permissions = wanted;
    },
    setGranted: (granted) => {
      permissions = granted;
    },
    setEvents: (subscribed) => {
      events = subscribed;
    },
    state: () => state,
    takesTokens: () => state !== "deleted" || tokensGoOn,
    setState: (next, how) => {
      state = next;
      tokensGoOn = how?.tokensGoOn ?? false;
    },
    covers: (repo) => repo.owner.id === owner.id && !left.has(repo.id),
    include: (repoId, included) => void (included ? left.delete(repoId) : left.add(repoId)),
    appJson: () => ({
      id: app.id,
      slug: app.slug,
      node_id: Buffer.from(`03:App${app.id}`).toString("base64"),
      client_id: `Iv23emulated${app.id}`,
      owner,
      name: app.slug,
      description: "",
      external_url: url,
      html_url: `${url}/apps/${app.slug}`,
      created_at: created,
      updated_at: created,
      permissions: asked,
      events,
      installations_count: state === "deleted" ? 0 : 1,
    }),
    json: () => ({
      id,
      account: owner,
      repository_selection: left.size === 0 ? "all" : "selected",
      access_tokens_url: `${url}/app/installations/${id}/access_tokens`,
      repositories_url: `${url}/installation/repositories`,
      html_url: `${url}/organizations/${owner.login}/settings/installations/${id}`,
      app_id: app.id,
      app_slug: app.slug,
      target_id: owner.id,
      target_type: "Organization",
      permissions,
      events,
      created_at: created,
      updated_at: created,
      single_file_name: null,
      has_multiple_single_files: false,
      single_file_paths: [],
      suspended_by: null,
      suspended_at: state === "suspended" ? created : null,
    }),
  };
}
