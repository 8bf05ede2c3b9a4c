import { randomBytes } from "node:crypto";
import type { Delivery } from "../deliveries.ts";
import type { Call, World } from "../world.ts";
import { grants } from "./permissions.ts";
import { type Answer, notFound, objectOf, type Repo, refuse } from "./shapes.ts";

/** What the App asks with its JWT, and what its tokens are. */

export const getApp = ({ world }: Call): Answer => ({ status: 200, body: world.installation.appJson() });

export const listInstallations = ({ world }: Call): Answer => ({
  status: 200,
  body: world.installation.state() === "deleted" ? [] : [world.installation.json()],
});

export const getInstallation = (call: Call): Answer =>
  isOurs(call) ? { status: 200, body: call.world.installation.json() } : notFound;

export const getRepoInstallation = (call: Call & { readonly repo: Repo }): Answer =>
  call.world.installation.state() !== "deleted" && call.world.installation.covers(call.repo)
    ? { status: 200, body: call.world.installation.json() }
    : notFound;

const isOurs = ({ world, params }: Call) =>
  world.installation.state() !== "deleted" && Number(params.installation_id) === world.installation.id;

/** The last step of registering by manifest: whoever has the code gets the credentials, without a token. */
export const convertManifest = ({ world }: Call): Answer => ({
  status: 201,
  body: {
    ...world.installation.appJson(),
    client_secret: randomBytes(20).toString("hex"),
    webhook_secret: world.webhookSecret,
    pem: world.privateKey,
  },
});

/** Mints a token with what was asked for, never more than was granted (SR-09). */
export function createToken(call: Call): Answer {
  const { world } = call;
  if (!isOurs(call)) return notFound;
  if (world.installation.state() === "suspended") return refuse(403, "This installation has been suspended");
  const asked = objectOf(call.body);
  const granted = world.installation.permissions();
  const permissions = (asked.permissions ?? granted) as Readonly<Record<string, string>>;
  const tooMuch = Object.entries(permissions).some(([name, level]) => !grants(granted[name], level));
  if (tooMuch) return refuse(422, "The permissions requested are not granted to this installation.");
  const chosen = chooseRepositories(world, asked);
  if (chosen === "unknown") {
    return refuse(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  const withMetadata = { ...(granted.metadata ? { metadata: "read" } : {}), ...permissions };
  const minted = world.tokens.mint({ asked, repositoryIds: chosen?.map((r) => r.id), permissions: withMetadata });
  return {
    status: 201,
    body: {
      token: minted.token,
      expires_at: minted.expiresAt.toISOString().replace(/\.\d+Z$/, "Z"),
      permissions: withMetadata,
      repository_selection: chosen ? "selected" : "all",
      ...(chosen ? { repositories: chosen } : {}),
    },
  };
}

function chooseRepositories(
  world: World,
  asked: Readonly<Record<string, unknown>>,
): readonly Repo[] | "unknown" | undefined {
  const wanted = asked.repository_ids ?? asked.repositories;
  if (!Array.isArray(wanted)) return undefined;
  const found = wanted.map((w) =>
    typeof w === "number" ? world.repos.byId(w) : world.repos.find(`${world.org.login}/${w}`),
  );
  const usable = found.flatMap((repo) => (repo && world.installation.covers(repo) ? [repo] : []));
  return usable.length === wanted.length ? usable : "unknown";
}

/** The secret is starred out, as GitHub has it. */
export const getHookConfig = ({ world }: Call): Answer => ({
  status: 200,
  body: { url: world.webhookUrl, content_type: "json", secret: "********", insecure_ssl: "0" },
});

/** Newest first, with a cursor in the Link header as GitHub does. */
export function listDeliveries({ world, query }: Call): Answer {
  const size = Math.min(Number(query.get("per_page") ?? 30), 100);
  const cursor = /^v1_(\d+)$/.exec(query.get("cursor") ?? "")?.[1];
  const status = query.get("status");
  const wanted = world.deliveries.log().filter((d) => {
    const good = d.status_code >= 200 && d.status_code < 400;
    return (cursor === undefined || d.id < Number(cursor)) && (status === null || good === (status === "success"));
  });
  const page = wanted.slice(0, size);
  const next = `<${world.url}/app/hook/deliveries?per_page=${size}&cursor=v1_${page.at(-1)?.id}>; rel="next"`;
  const items = page.map(({ url: _url, request: _request, response: _response, ...item }) => item);
  return { status: 200, body: items, ...(wanted.length > size ? { headers: { link: next } } : {}) };
}

const findDelivery = ({ world, params }: Call): Delivery | undefined =>
  world.deliveries.log().find((d) => d.id === Number(params.delivery_id));

export function getDelivery(call: Call): Answer {
  const delivery = findDelivery(call);
  return delivery ? { status: 200, body: delivery } : notFound;
}

export function redeliver(call: Call): Answer {
  const delivery = findDelivery(call);
  if (!delivery) return notFound;
  void call.world.deliveries.redeliver({ id: delivery.id });
  return { status: 202, body: {} };
}
