// How numbered events travel on the bus: with their payload, or, when that is too much for one
// message, as the new head alone; consumers then read the log.
import type { Audience, LoggedEvent } from './event.ts';

export type EventBatch = { readonly head: number; readonly events: readonly LoggedEvent[] };

const BATCH_BYTES_MAX = 512 * 1024;

type Row = [
  position: number,
  xid: string,
  type: string,
  payload: string,
  audience: Audience,
  rightsOf: readonly number[],
];

export function encodeBatch(events: readonly LoggedEvent[]): string {
  const head = events.at(-1)?.position ?? 0;
  let units = 0;
  for (const event of events) units += event.payload.length + 200;
  if (units <= BATCH_BYTES_MAX) {
    const rows = events.map((e): Row => [
      e.position,
      String(e.xid),
      e.type,
      e.payload,
      e.audience,
      e.rightsOf,
    ]);
    const text = JSON.stringify({ head, rows });
    if (Buffer.byteLength(text) <= BATCH_BYTES_MAX) return text;
  }
  return encodeHead(head);
}

/** The new head alone. */
export const encodeHead = (head: number): string => JSON.stringify({ head, rows: [] });

let last: { readonly text: string; readonly batch: EventBatch } | undefined;

/** Several consumers of a process get the same text, one after the other: it is read once. */
export function decodeBatch(text: string): EventBatch {
  if (last?.text !== text) last = { text, batch: readBatch(text) };
  return last.batch;
}

function readBatch(text: string): EventBatch {
  const { head, rows } = JSON.parse(text) as { head: number; rows: Row[] };
  const events = rows.map(([position, xid, type, payload, audience, rightsOf]) => ({
    position,
    xid: BigInt(xid),
    type,
    payload,
    audience,
    rightsOf,
  }));
  return { head, events };
}
