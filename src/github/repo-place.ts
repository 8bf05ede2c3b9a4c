/** A repository, and the installation by which the bot acts there. */
export interface RepoPlace {
  readonly installationId: number;
  /** `owner/name` */
  readonly repo: string;
}

/** `owner/name` as Octokit wants it. */
export function repoOf(place: Pick<RepoPlace, "repo">): { owner: string; repo: string } {
  const [owner = "", repo = ""] = place.repo.split("/");
  return { owner, repo };
}
