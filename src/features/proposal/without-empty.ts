/** The lists that hold something: an empty one is no field, so that a digest is that of an object which never had it. */
export const withoutEmpty = <Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> => Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;
