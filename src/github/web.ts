/** GitHub's address for people, from the API's address: a host of its own, or a path on an Enterprise server. Pure. */
const siteOf = (apiUrl: string): string =>
  apiUrl.replace(/^https:\/\/api\.((?:[\w-]+\.)?(?:github|ghe)\.com)$/, "https://$1").replace(/\/api\/v3$/, "");

/** The address of a comment for people, e.g. `https://github.com/acme/web/issues/42#issuecomment-7`. Pure. */
export function commentUrl(
  apiUrl: string,
  { repo, issue }: { readonly repo: string; readonly issue: number },
  commentId: number,
): string {
  return `${issueUrl(apiUrl, { repo, issue })}#issuecomment-${commentId}`;
}

/** The address of an issue for people. Pure. */
export const issueUrl = (apiUrl: string, { repo, issue }: { readonly repo: string; readonly issue: number }): string =>
  `${siteOf(apiUrl)}/${repo}/issues/${issue}`;

/** The page of a repository's deployments, for one environment if it is named. Pure. */
export const deploymentUrl = (apiUrl: string, repo: string, environment: string | null): string =>
  `${siteOf(apiUrl)}/${repo}/deployments${environment === null ? "" : `/${encodeURIComponent(environment)}`}`;

/** What a file's path is put behind, as it was at a commit: `https://github.com/acme/web/blob/1a2b3c4`. Pure. */
export const blobUrl = (apiUrl: string, { repo, commit }: { readonly repo: string; readonly commit: string }): string =>
  `${siteOf(apiUrl)}/${repo}/blob/${commit}`;
