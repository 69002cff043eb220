/** Why something failed, in the words of the server or the browser. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
