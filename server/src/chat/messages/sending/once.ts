// A send under a UUID is done once, however often the client asks (decision 0076).
import { createHash } from 'node:crypto';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { claimSent, findSent, storeSent, type SentRow } from './store.ts';

/** The parts of a request that make it the same message. The queue is not one: a client may have a new one by then. */
export interface Sending {
  readonly type: string;
  readonly to: string | undefined;
  readonly topic: string | undefined;
  readonly content: string;
  readonly widget?: string | undefined;
}

export interface Earlier {
  readonly id: number;
  readonly path: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Clients of Zulip count their messages from the start of the page ("12.01"), so such a number comes again. */
export const isUuid = (localId: string): boolean => UUID.test(localId);

/** The message that the sender has sent under this UUID, if any; throws if it was another one. */
export async function findEarlier(
  db: Db,
  senderId: number,
  localId: string,
  sending: Sending,
): Promise<Earlier | undefined> {
  const row = await findSent(db, senderId, localId);
  return row && earlierOf(row, localId, hashOf(sending));
}

/** As `findEarlier`; without an earlier message, the UUID is the sender's until the transaction ends. */
export async function claimOnce(
  tx: Tx,
  senderId: number,
  localId: string,
  sending: Sending,
): Promise<Earlier | undefined> {
  const request = hashOf(sending);
  return earlierOf(await claimSent(tx, senderId, localId, request), localId, request);
}

export const noteSent = (
  tx: Tx,
  senderId: number,
  localId: string,
  { id, path }: Earlier,
): Promise<void> => storeSent(tx, senderId, localId, { id, path });

/** Requests with the same hash ask for the same message. */
export function hashOf({ type, to, topic, content, widget }: Sending): Buffer {
  const parts = [type, to ?? null, topic ?? null, content, widget ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function earlierOf(
  { messageId, path, request }: SentRow,
  localId: string,
  asked: Buffer,
): Earlier | undefined {
  if (messageId === null || path === null) return undefined;
  const id = Number(messageId);
  if (!request.equals(asked)) throw localIdUsed(localId, id);
  return { id, path };
}

const localIdUsed = (localId: string, id: number) =>
  new Refusal({
    code: 'LOCAL_ID_USED',
    message:
      `You sent another message with the local_id '${localId}' in the last 24 hours. Nothing was sent now. ` +
      `Give every message a new UUID, and repeat a request only with the same recipients, topic and content.`,
    status: 400,
    fields: { message_id: id },
  });
