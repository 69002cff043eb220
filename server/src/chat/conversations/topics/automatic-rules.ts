// Decides when a topic is followed or unmuted automatically.

/** The values of the settings: from which deed on the topic is followed; `never` is above all deeds. */
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

/** Whether this deed could change anything; asked first, because it saves a query. */
export const mayMatter = (deed: Deed, { follow, unmute }: Policies): boolean =>
  Math.min(follow, unmute) <= FROM[deed];

/** Whether an automatic change applies: a followed topic is never changed automatically. */
export const isCloser = (current: number, next: number): boolean =>
  current !== next && current !== VISIBILITY.followed;

/**
 * A person's policy for a topic when another topic is moved into it: the closer of the two (followed, then unmuted).
 * One muted topic does not hide the other.
 */
export function mergedVisibility(moved: number, there: number): number {
  const closest = Math.max(moved, there);
  if (closest >= VISIBILITY.unmuted) return closest;
  return moved === there ? moved : VISIBILITY.inherit;
}
