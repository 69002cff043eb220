// A bus whose messages only the deployment's own processes can write. Another client of NATS can
// ring no bell, announce no leader and send nothing that is believed. Replayed messages are
// possible, and subscribers tolerate them. Requests pass unsigned, because their servers have their
// own checks.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { assert } from '../std/assert.ts';
import type { Bus } from './bus.ts';

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

  return {
    ...bus,
    publish: (subject, payload) =>
      bus.publish(name(subject), sign(own, subject, payload) + payload),
    subscribe: (subject, handler) =>
      bus.subscribe(name(subject), (message) => {
        const payload = message.slice(SIGNATURE_LENGTH);
        const given = Buffer.from(message.slice(0, SIGNATURE_LENGTH));
        const isOurs = keys.some((key) => {
          const expected = Buffer.from(sign(key, subject, payload));
          return given.length === expected.length && timingSafeEqual(given, expected);
        });
        if (isOurs) handler(payload);
        else onForged(subject);
      }),
  };
}
