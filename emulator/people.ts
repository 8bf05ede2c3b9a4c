import { type PersonIdentity, type Role, roles } from "./interface.ts";

/** A person as the gateway knows them; inside emulate they are `alias` for ever, so that they can be renamed. */
export interface Person extends PersonIdentity {
  readonly alias: string;
  readonly type: "User" | "Bot";
}

export interface People {
  /** Logins are case-insensitive, as on GitHub. */
  readonly byLogin: (login: string) => Person | undefined;
  readonly byAlias: (alias: string) => Person | undefined;
  readonly all: () => readonly Person[];
  readonly role: (person: Person, repo: { readonly id: number; readonly private: boolean }) => Role;
  readonly setRole: (person: Person, role: Role, repoId?: number) => void;
  readonly rename: (person: Person, to: string) => void;
  /** Hands the next spare account to a new login. */
  readonly register: (login: string, role: Role) => Person;
  readonly team: (slug: string) => readonly Person[] | undefined;
  readonly teams: () => readonly string[];
  readonly setTeam: (slug: string, logins: readonly string[]) => void;
}

export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

/** The five legacy flags of a role; what GitHub calls `permission` has only three levels and `none`. */
export const permissionsOf = (role: Role) => ({
  pull: atLeast(role, "read"),
  triage: atLeast(role, "triage"),
  push: atLeast(role, "write"),
  maintain: atLeast(role, "maintain"),
  admin: atLeast(role, "admin"),
});

const legacy: Readonly<Record<Role, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};
export const legacyPermission = (role: Role): string => legacy[role];

/** Everybody of the seed, with roles and teams. `spares` are accounts that nobody has yet. */
export function createPeople(
  initial: readonly (Person & { readonly role: Role })[],
  spares: readonly Person[],
): People {
  const people: Person[] = initial.map(({ role: _role, ...person }) => person);
  const everywhere = new Map<string, Role>(initial.map((p) => [p.alias, p.role]));
  const onRepo = new Map<string, Role>();
  const teams = new Map<string, readonly string[]>();
  const free = [...spares];
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const byLogin = (login: string) => people.find((p) => same(p.login, login));
  const byAlias = (alias: string) => people.find((p) => p.alias === alias);

  return {
    byLogin,
    byAlias,
    all: () => people,
    role(person, repo) {
      const own = onRepo.get(`${repo.id}/${person.alias}`) ?? everywhere.get(person.alias) ?? "none";
      return own === "none" && !repo.private ? "read" : own;
    },
    setRole(person, role, repoId) {
      if (repoId !== undefined) onRepo.set(`${repoId}/${person.alias}`, role);
      else {
        everywhere.set(person.alias, role);
        for (const key of onRepo.keys()) if (key.endsWith(`/${person.alias}`)) onRepo.delete(key);
      }
    },
    rename(person, to) {
      if (byLogin(to)) throw new Error(`login ${to} is taken`);
      people[people.indexOf(person)] = { ...person, login: to };
    },
    register(login, role) {
      if (byLogin(login)) throw new Error(`login ${login} is taken`);
      const spare = free.shift();
      if (!spare) throw new Error("no spare account is left; register fewer people");
      const person = { ...spare, login };
      people.push(person);
      everywhere.set(person.alias, role);
      return person;
    },
    team: (slug) => teams.get(slug)?.flatMap((alias) => byAlias(alias) ?? []),
    teams: () => [...teams.keys()],
    setTeam(slug, logins) {
      teams.set(
        slug,
        logins.map((login) => byLogin(login)?.alias ?? unknownLogin(login)),
      );
    },
  };
}

function unknownLogin(login: string): never {
  throw new Error(`nobody of the seed is called ${login}`);
}
