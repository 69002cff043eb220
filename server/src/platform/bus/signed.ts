// A bus whose messages only the deployment's own processes can write. Another client of NATS can
// ring no bell, announce no leader and send nothing that is believed. Replayed messages are
// possible, and subscribers tolerate them. Requests pass unsigned, because their servers have their
// own checks.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { assert } from '../std/assert.ts';
import type { Bus, BusSubscription } from './bus.ts';

/** SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43;

/**
 * Signs with the first key and accepts each of them. `onForged` gets the subject of a message
 * without a valid signature; the message is dropped.
 */
export function signBus(
  bus: Bus,
  keys: readonly KeyObject[],
  onForged: (subject: string) => void,
): Bus {
  const [own] = keys;
  assert(own !== undefined, 'there is a key to sign with');
  const sign = (key: KeyObject, subject: string, payload: string): string =>
    createHmac('sha256', key).update(`${subject}\n${payload}`).digest('base64url');
  // Separate from the subjects of releases without signatures, so that neither reads the other's
  // messages.
  const name = (subject: string): string => `signed.${subject}`;
  const isOurs = (subject: string, signature: string, payload: string): boolean => {
    const given = Buffer.from(signature);
    return keys.some((key) => {
      const expected = Buffer.from(sign(key, subject, payload));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  };

  return {
    ...bus,
    publish: (subject, payload) =>
      bus.publish(name(subject), sign(own, subject, payload) + payload),
    // A process listens to the log for several purposes: each message comes, and is checked, once for all of them.
    subscribe: shareSubscriptions((subject, tell) =>
      bus.subscribe(name(subject), (message) => {
        const payload = message.slice(SIGNATURE_LENGTH);
        if (isOurs(subject, message.slice(0, SIGNATURE_LENGTH), payload)) tell(payload);
        else onForged(subject);
      }),
    ),
  };
}

type Tell = (payload: string) => void;

/** Subscribes to each subject once, for all handlers in this process. */
function shareSubscriptions(
  open: (subject: string, tell: Tell) => BusSubscription,
): Bus['subscribe'] {
  const shared = new Map<string, { handlers: Set<{ tell: Tell }>; own: BusSubscription }>();
  return (subject, tell) => {
    let one = shared.get(subject);
    if (one === undefined) {
      const handlers = new Set<{ tell: Tell }>();
      one = { handlers, own: open(subject, (payload) => tellAll(handlers, payload)) };
      shared.set(subject, one);
    }
    const { handlers, own } = one;
    const handler = { tell };
    handlers.add(handler);
    return {
      unsubscribe() {
        if (!handlers.delete(handler) || handlers.size > 0) return;
        shared.delete(subject);
        own.unsubscribe();
      },
    };
  };
}

/** A handler that fails keeps the message from no other one. */
function tellAll(handlers: ReadonlySet<{ tell: Tell }>, payload: string): void {
  const failures: unknown[] = [];
  // A handler whose subscription an earlier one ends is passed over by the set itself.
  for (const handler of handlers) {
    try {
      handler.tell(payload);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) {
    throw new AggregateError(failures, `${failures.length} handlers of a message failed.`);
  }
}
