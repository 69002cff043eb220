// Decides when a topic is automatically followed or unmuted for somebody.

/** The numbers of the settings, each meaning "from this action on"; `never` is above all of them. */
const FROM = { participate: 1, send: 2, initiate: 3 } as const;

/** Reacting and voting is participating, sending is more, and initiating a topic is the most. */
export type Deed = keyof typeof FROM;

export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;

export interface Policies {
  readonly follow: number;
  readonly unmute: number;
}

/** Following comes before unmuting, which matters only in muted channels. */
export function visibilityAfter(
  deed: Deed,
  { follow, unmute }: Policies,
  isChannelMuted: boolean,
): number | undefined {
  if (follow <= FROM[deed]) return VISIBILITY.followed;
  return isChannelMuted && unmute <= FROM[deed] ? VISIBILITY.unmuted : undefined;
}

/** Whether this action could change anything; asked before the database is. */
export const mayMatter = (deed: Deed, { follow, unmute }: Policies): boolean =>
  Math.min(follow, unmute) <= FROM[deed];

/** Automatic changes only raise the visibility of a topic. */
export const isCloser = (current: number, next: number): boolean =>
  current !== next && current !== VISIBILITY.followed;

/**
 * The visibility of a topic after another one is moved into it. The higher one wins; if only one of them was muted,
 * the result is not muted.
 */
export function mergedVisibility(moved: number, there: number): number {
  const closest = Math.max(moved, there);
  if (closest >= VISIBILITY.unmuted) return closest;
  return moved === there ? moved : VISIBILITY.inherit;
}
