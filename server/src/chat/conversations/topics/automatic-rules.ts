// When a topic is followed or unmuted for somebody without their asking for it.

/** As the settings have it: from this deed on; `never` is above all of them. */
const FROM = { participate: 1, send: 2, initiate: 3 } as const;

/** Reacting and voting is taking part, writing is more, starting a topic is the most. */
export type Deed = keyof typeof FROM;

export const VISIBILITY = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;

export interface Policies {
  readonly follow: number;
  readonly unmute: number;
}

/** Following comes before unmuting, which means something in muted channels only. */
export function visibilityAfter(
  deed: Deed,
  { follow, unmute }: Policies,
  isChannelMuted: boolean,
): number | undefined {
  if (follow <= FROM[deed]) return VISIBILITY.followed;
  return isChannelMuted && unmute <= FROM[deed] ? VISIBILITY.unmuted : undefined;
}

/** Whether any deed up to this one could change anything; asked before the database is. */
export const mayMatter = (deed: Deed, { follow, unmute }: Policies): boolean =>
  Math.min(follow, unmute) <= FROM[deed];

/** A topic only ever comes closer by itself. */
export const isCloser = (current: number, next: number): boolean =>
  current !== next && current !== VISIBILITY.followed;

/**
 * What a topic is to somebody when another one is moved into it. What brings it closer wins; that one of
 * them was muted does not hide the other.
 */
export function mergedVisibility(moved: number, there: number): number {
  const closest = Math.max(moved, there);
  if (closest >= VISIBILITY.unmuted) return closest;
  return moved === there ? moved : VISIBILITY.inherit;
}
