/** An id by which an act happens once, however often it is sent. */
export const newId = (): string =>
  `web-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 14)}`;
