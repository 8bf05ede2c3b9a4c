/** How long a wait of the tests may take before it counts as a hang: no claim about speed, since the machine may be busy. */
export const patienceMs = 240_000;
