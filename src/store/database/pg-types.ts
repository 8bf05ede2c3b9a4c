import pg from "pg";

const int8Oid = 20;

/** How values come out of PostgreSQL: as node-postgres has them, but a bigint as a number; ours stay below 2⁵³. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === int8Oid ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
