import { randomBytes } from "node:crypto";
import type { Delivery } from "../deliveries.ts";
import { type App, type Call, callersApp } from "../world.ts";
import { grants } from "./permissions.ts";
import { type Answer, notFound, objectOf, type Repo, refuse } from "./shapes.ts";

/** What the App asks with its JWT, and what its tokens are. */

/** Whose JWT it is. */
const appOf = ({ world, caller }: Call): App => callersApp(caller) ?? world.apps[0] ?? world;

export const getApp = (call: Call): Answer => ({ status: 200, body: appOf(call).installation.appJson() });

export function listInstallations(call: Call): Answer {
  const { installation } = appOf(call);
  return { status: 200, body: installation.state() === "deleted" ? [] : [installation.json()] };
}

export const getInstallation = (call: Call): Answer =>
  isOurs(call) ? { status: 200, body: appOf(call).installation.json() } : notFound;

export function getRepoInstallation(call: Call & { readonly repo: Repo }): Answer {
  const { installation } = appOf(call);
  return installation.state() !== "deleted" && installation.covers(call.repo)
    ? { status: 200, body: installation.json() }
    : notFound;
}

const isOurs = (call: Call): boolean => {
  const { installation } = appOf(call);
  return installation.state() !== "deleted" && Number(call.params.installation_id) === installation.id;
};

/** The last step of registering by manifest: whoever has the code gets the credentials, without a token. A code `second…` is the second App's. */
export function convertManifest({ world, params }: Call): Answer {
  const second = params.code?.startsWith("second") ? world.apps[1] : undefined;
  return {
    status: 201,
    body: {
      ...(second ?? world).installation.appJson(),
      client_secret: randomBytes(20).toString("hex"),
      webhook_secret: second ? null : world.webhookSecret,
      pem: (second ?? world).privateKey,
    },
  };
}

/** Mints a token with what was asked for, never more than was granted (SR-09). */
export function createToken(call: Call): Answer {
  const { installation, tokens } = appOf(call);
  if (!isOurs(call)) return notFound;
  if (installation.state() === "suspended") return refuse(403, "This installation has been suspended");
  const asked = objectOf(call.body);
  const granted = installation.permissions();
  const permissions = (asked.permissions ?? granted) as Readonly<Record<string, string>>;
  const tooMuch = Object.entries(permissions).some(([name, level]) => !grants(granted[name], level));
  if (tooMuch) return refuse(422, "The permissions requested are not granted to this installation.");
  const chosen = chooseRepositories(call, asked);
  if (chosen === "unknown") {
    return refuse(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  const withMetadata = { ...(granted.metadata ? { metadata: "read" } : {}), ...permissions };
  const minted = tokens.mint({ asked, repositoryIds: chosen?.map((r) => r.id), permissions: withMetadata });
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
  call: Call,
  asked: Readonly<Record<string, unknown>>,
): readonly Repo[] | "unknown" | undefined {
  const { world } = call;
  const wanted = asked.repository_ids ?? asked.repositories;
  if (!Array.isArray(wanted)) return undefined;
  const found = wanted.map((w) =>
    typeof w === "number" ? world.repos.byId(w) : world.repos.find(`${world.org.login}/${w}`),
  );
  const usable = found.flatMap((repo) => (repo && appOf(call).installation.covers(repo) ? [repo] : []));
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
