// Chooses the messages around an anchor that fit into one answer. It cuts at the far ends, so that the page has no
// holes and a client that continues from an end gets the rest.

export interface Sized {
  readonly id: number;
  readonly bytes: number;
}

interface Sides {
  /** Newest first, starting next to the anchor. */
  readonly older: readonly Sized[];
  /** The anchor, if it is requested and exists. */
  readonly own: readonly Sized[];
  /** Oldest first. */
  readonly newer: readonly Sized[];
}

/**
 * The anchor and its neighbours up to `bytesMax`. Each side gets half of what the anchor leaves, and what the other
 * side does not use. A side that has messages keeps at least one of any size, so that a client makes progress.
 */
export function cutPage({ older, own, newer }: Sides, bytesMax: number): Sides {
  const room = Math.max(0, bytesMax - total(own));
  const half = room / 2;
  const [olderNeeds, newerNeeds] = [total(older), total(newer)];
  return {
    own,
    older: cutSide(older, Math.max(half, room - newerNeeds)),
    newer: cutSide(newer, Math.max(half, room - olderNeeds)),
  };
}

const total = (messages: readonly Sized[]): number =>
  messages.reduce((sum, { bytes }) => sum + bytes, 0);

function cutSide(messages: readonly Sized[], room: number): readonly Sized[] {
  let sum = 0;
  const beyond = messages.findIndex(({ bytes }) => (sum += bytes) > room);
  return beyond === -1 ? messages : messages.slice(0, Math.max(1, beyond));
}
