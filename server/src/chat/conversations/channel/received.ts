// Which messages of a channel arrived while somebody was subscribed: a few ranges of message numbers.

/** From the first number to the last, both included; the last is Infinity while the person is subscribed. */
export type ReceivedRange = readonly [from: number, through: number];

/** Ascending, with a gap between any two. */
export type Received = readonly ReceivedRange[];

/** Parses PostgreSQL's text of an int8multirange, which is always canonical. */
export function parseReceived(text: string): Received {
  return [...text.matchAll(/\[(\d+),(\d*)\)/g)].map(([, from, end]) => [
    Number(from),
    end === '' ? Infinity : Number(end) - 1,
  ]);
}

export const hasReceived = (received: Received, seq: number): boolean =>
  received.some(([from, through]) => from <= seq && seq <= through);

/** Joined after message `seq`: every later message arrives. */
export function joinAt(received: Received, seq: number): Received {
  const last = received.at(-1);
  if (last === undefined || last[1] < seq) return [...received, [seq + 1, Infinity]];
  return [...received.slice(0, -1), [last[0], Infinity]];
}

/** Left after message `seq`: no later message arrives. */
export function leaveAt(received: Received, seq: number): Received {
  const kept = received.map(([from, through]): ReceivedRange => [from, Math.min(through, seq)]);
  return kept.filter(([from, through]) => from <= through);
}
