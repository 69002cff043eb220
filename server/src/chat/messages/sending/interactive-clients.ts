// Whether a message counts as read by its sender, from the name of the client that sends it.

/** Clients in which a person writes: their messages count as read by the sender. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  'website',
  'zulipmobile',
  'zulipdesktop',
  'zulipelectron',
  'zulipterminal',
  'zulipandroid',
  'zulipios',
  'ios',
  'android',
  'snipe',
]);
export const isInteractive = (client: string): boolean => INTERACTIVE.has(client.toLowerCase());
