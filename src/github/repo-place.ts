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
