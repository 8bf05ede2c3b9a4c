import type { Person } from "./people.ts";
import { type Issue, objectOf, type Repo, toSeconds } from "./wire/shapes.ts";
import type { World } from "./world.ts";

export interface Event {
  readonly event: string;
  readonly action?: string;
  readonly sender: Person;
  readonly repo?: Repo;
  /** What belongs to this event alone: `issue`, `comment`, `changes`, … */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Sends a webhook to the App with what every payload carries; nothing where the App would not be told. */
export function emit(world: World, { event, action, sender, repo, fields }: Event): void {
  note(world, { event, sender, fields, ...(action && { action }), ...(repo && { repo }) });
  const { installation } = world;
  const about = event.startsWith("installation");
  if (!about && (installation.state() !== "active" || (repo && !installation.covers(repo)))) return;
  world.deliveries.send({
    event,
    action: action ?? null,
    installationId: installation.id,
    repositoryId: repo?.id ?? null,
    payload: {
      ...(action ? { action } : {}),
      ...fields,
      ...(repo ? { repository: repo, organization: organization(world) } : {}),
      sender: world.userJson(sender),
      installation: about
        ? installation.json()
        : { id: installation.id, node_id: Buffer.from(`MDIzOkludGVn${installation.id}`).toString("base64") },
    },
  });
}

/** What GitHub lists as an event of the issue, whether the App is told of it or not. */
const issueEvents = ["closed", "reopened", "labeled", "unlabeled", "assigned", "unassigned", "locked", "unlocked"];

function note(world: World, { event, action = "", sender, repo, fields }: Event): void {
  if (!repo || event !== "issues" || !issueEvents.includes(action)) return;
  const { number } = fields.issue as Issue;
  const { name, color } = objectOf(fields.label);
  world.notes.addEvent({
    repoId: repo.id,
    issue: number,
    event: action,
    actor: sender,
    at: toSeconds(new Date()),
    label: name === undefined ? undefined : { name: String(name), color: String(color) },
  });
}

/** GitHub's short form of an organization in a payload. */
function organization({ org, url }: World): object {
  const api = `${url}/orgs/${org.login}`;
  return {
    login: org.login,
    id: org.id,
    node_id: org.node_id,
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${url}/avatars/o/${org.login}`,
    description: "",
  };
}
