// The rules for a scheduled message that need no database.
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

/** Recipients and topic after a change. */
export interface Addressed {
  readonly destination: Destination;
  /** Empty for direct messages. */
  readonly topic: string;
}

/**
 * Applies a change; what the request leaves out stays. A change of type needs new recipients, and a change to a
 * channel message also needs a topic that is not empty.
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
