import type { ValueSource } from "../incident-values.ts";

/** What an incident's alert or its issue form says by name. */
export interface IncidentValueTable {
  incidentId: string;
  source: ValueSource;
  name: string;
  value: string;
}
