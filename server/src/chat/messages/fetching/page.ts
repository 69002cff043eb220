// Chooses the messages around an anchor that fit into one answer. It cuts at the far ends, so that the page has no
// holes and a client that continues from an end gets the rest.

export interface Sized {
  readonly id: number;
  readonly bytes: number;
}

interface Sides<M extends Sized> {
  /** Newest first, starting next to the anchor. */
  readonly older: readonly M[];
  /** The anchor, if it is requested and exists. */
  readonly own: readonly M[];
  /** Oldest first. */
  readonly newer: readonly M[];
}

/**
 * The anchor and its neighbours up to `bytesMax`. Each side gets half of what the anchor leaves, and what the other
 * side does not use. A side that has messages keeps at least one of any size, so that a client makes progress.
 */
export function cutPage<M extends Sized>(
  { older, own, newer }: Sides<M>,
  bytesMax: number,
): Sides<M> {
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

function cutSide<M extends Sized>(messages: readonly M[], room: number): readonly M[] {
  let sum = 0;
  const beyond = messages.findIndex(({ bytes }) => (sum += bytes) > room);
  return beyond === -1 ? messages : messages.slice(0, Math.max(1, beyond));
}
