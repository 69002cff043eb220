/**
 * Options of a test that measures time. Other load on the machine only makes a measurement longer, so one round
 * within the bound proves it, and a real fault fails every round.
 */
export const MEASURED = { retry: 3 } as const;
