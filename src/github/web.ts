/** The address of a comment for people, e.g. `https://github.com/acme/web/issues/42#issuecomment-7`. Pure. */
export function commentUrl(
  apiUrl: string,
  { repo, issue }: { readonly repo: string; readonly issue: number },
  commentId: number,
): string {
  // GitHub's own API has a host of its own; an Enterprise server's is a path below the address for people.
  const site = apiUrl.replace(/^https:\/\/api\.github\.com$/, "https://github.com").replace(/\/api\/v3$/, "");
  return `${site}/${repo}/issues/${issue}#issuecomment-${commentId}`;
}
