/** What a client knows of repositories where nobody knows an id yet: its tokens are for their names. */
export const byName = { idOf: async () => undefined, usesTeams: () => true } as const;
