/**
 * For whom the bot works (SR-07): repositories that the operator's file names, and of each name only the one that was meant. A name
 * can pass to another repository, an id cannot. Pure.
 */

/** What is known under a repository's name since first contact. */
export interface Pin {
  readonly repoId: number;
  readonly installationId: number;
  /** False as soon as GitHub has said that this installation was deleted. */
  readonly installed: boolean;
}

export interface TenancyQuestion {
  /** What the operator's file says under the name; absent where it says nothing. An `id` in it goes before the pin. */
  readonly entry: { readonly id?: number | undefined; readonly allowPublic: boolean } | undefined;
  readonly pin: Pin | undefined;
  /** As GitHub says where it comes from. */
  readonly from: { readonly repoId: number; readonly installationId: number; readonly private: boolean };
}

export type Tenancy =
  | { readonly kind: "served" }
  /** Served, as soon as it is kept that the name means this repository and this installation. */
  | { readonly kind: "pin" }
  | { readonly kind: "refused"; readonly reason: string };

const refused = (reason: string): Tenancy => ({ kind: "refused", reason });

/** Decides whether what comes from a repository is heard at all. The first reason against it is the one that is told. */
export function decideTenancy({ entry, pin, from }: TenancyQuestion): Tenancy {
  const { repoId, installationId } = from;
  if (!entry) return refused("github.repositories does not name it");
  if (entry.id !== undefined && entry.id !== repoId)
    return refused(`its id is ${repoId}, and github.repositories gives ${entry.id} for its name`);
  if (entry.id === undefined && pin && pin.repoId !== repoId)
    return refused(
      `its id is ${repoId}, and its name was ${pin.repoId}'s: it was made anew. If it is meant, write \`id: ${repoId}\` to its name in github.repositories`,
    );
  if (!from.private && entry.allowPublic !== true) return refused("it is public, without `allow_public: true`");
  if (!pin || pin.repoId !== repoId) return { kind: "pin" };
  if (pin.installationId === installationId)
    return pin.installed ? { kind: "served" } : refused(`the App's installation ${installationId} was deleted`);
  if (!pin.installed || entry.id !== undefined) return { kind: "pin" };
  return refused(
    `it comes by the App's installation ${installationId}, and is known by ${pin.installationId}. If the App was installed anew, write \`id: ${repoId}\` to its name in github.repositories`,
  );
}
