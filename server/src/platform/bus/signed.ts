// The bus of a deployment whose messages only its own processes can write. Whoever else may publish on NATS
// can ring no bell, name no leader and tell nobody anything. What is said twice is said twice: subscribers bear
// that. Requests pass as they are, because whoever serves them knows better what to ask of them.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { assert } from '../std/assert.ts';
import type { Bus } from './bus.ts';

/** SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43;

/** Signs with the first key and believes each of them. `onForged` is told the subject of a message that nobody with the key wrote; the message goes no further. */
export function signBus(
  bus: Bus,
  keys: readonly KeyObject[],
  onForged: (subject: string) => void,
): Bus {
  const [own] = keys;
  assert(own !== undefined, 'there is a key to sign with');
  const sign = (key: KeyObject, subject: string, payload: string): string =>
    createHmac('sha256', key).update(`${subject}\n${payload}`).digest('base64url');
  // Apart from what processes say that know of no signatures, so that neither takes the other's words.
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
