/** A host of its own, or a path on an Enterprise server. */
const siteOf = (apiUrl: string): string =>
  apiUrl.replace(/^https:\/\/api\.((?:[\w-]+\.)?(?:github|ghe)\.com)$/, "https://$1").replace(/\/api\/v3$/, "");

/** `https://github.com/acme/web/issues/42#issuecomment-7` */
export function commentUrl(
  apiUrl: string,
  { repo, issue }: { readonly repo: string; readonly issue: number },
  commentId: number,
): string {
  return `${issueUrl(apiUrl, { repo, issue })}#issuecomment-${commentId}`;
}

export const issueUrl = (apiUrl: string, { repo, issue }: { readonly repo: string; readonly issue: number }): string =>
  `${siteOf(apiUrl)}/${repo}/issues/${issue}`;

/** For one environment, if named. */
export const deploymentUrl = (apiUrl: string, repo: string, environment: string | null): string =>
  `${siteOf(apiUrl)}/${repo}/deployments${environment === null ? "" : `/${encodeURIComponent(environment)}`}`;

/** Before a file's path: `https://github.com/acme/web/blob/1a2b3c4`. */
export const blobUrl = (apiUrl: string, { repo, commit }: { readonly repo: string; readonly commit: string }): string =>
  `${siteOf(apiUrl)}/${repo}/blob/${commit}`;

export interface RepoPlace {
  readonly installationId: number;
  /** `owner/name` */
  readonly repo: string;
}

/** As Octokit wants it. */
export function repoOf(place: Pick<RepoPlace, "repo">): { owner: string; repo: string } {
  const [owner = "", repo = ""] = place.repo.split("/");
  return { owner, repo };
}
