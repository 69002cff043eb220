// What a scheduled message may be, as far as that can be said without asking the database.
import { badRequest } from '../../http/errors.ts';
import { RECIPIENTS_MAX, type Addressee, type MessageType } from '../sending/recipients.ts';
import { normalizeTopic } from '../../conversations/topics/rules.ts';

/** A channel by its id, or people by theirs. */
export type Destination =
  | { readonly kind: 'channel'; readonly channel: number }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

export const addresseeKindOf = (type: MessageType): Addressee['kind'] =>
  type === 'stream' || type === 'channel' ? 'channel' : 'direct';

export function parseDestination(
  kind: Addressee['kind'],
  to: number | readonly number[],
): Destination {
  if (kind === 'channel') {
    if (typeof to !== 'number') throw badRequest('Invalid data type for channel ID');
    return { kind, channel: to };
  }
  if (typeof to === 'number') throw badRequest('Invalid data type for recipients');
  if (to.length === 0) throw badRequest('Message must have recipients');
  if (to.length > RECIPIENTS_MAX) {
    throw badRequest(`A direct message cannot have more than ${RECIPIENTS_MAX} recipients.`);
  }
  return { kind, userIds: [...new Set(to)] };
}

export interface ScheduledEdit {
  readonly type?: MessageType | undefined;
  readonly to?: number | readonly number[] | undefined;
  readonly topic?: string | undefined;
  readonly content?: string | undefined;
}

/** Whom the message is for, and about what, after the change. */
export interface Addressed {
  readonly destination: Destination;
  /** Of direct messages, nothing. */
  readonly topic: string;
}

/**
 * What is not said stays as it is. A message that becomes one of another kind has to be addressed anew, and one
 * that comes to stand in a channel needs a topic of its own, which the empty one is not.
 */
export function readdress(before: Addressed, { type, to, topic }: ScheduledEdit): Addressed {
  const kind = type === undefined ? before.destination.kind : addresseeKindOf(type);
  const isOther = kind !== before.destination.kind;
  if (isOther && to === undefined) {
    throw badRequest('Recipient required when updating type of scheduled message.');
  }
  if (isOther && kind === 'channel' && (topic === undefined || normalizeTopic(topic) === '')) {
    throw badRequest('Topic required when updating scheduled message type to channel.');
  }
  const destination = to === undefined ? before.destination : parseDestination(kind, to);
  if (kind === 'direct') return { destination, topic: '' };
  return { destination, topic: topic === undefined ? before.topic : normalizeTopic(topic) };
}
