// Signs a connection in. The timestamp is the server's time, measured on the socket itself.
import type { ServerClock } from '../trading/clock.ts';
import { ed25519Signer, hmacSigner } from '../trading/sign.ts';
import type { Link } from './link.ts';
import type { StreamsOptions } from './options.ts';
import { ask } from './refusal.ts';

export interface Login {
  /** A session needs none: its connection is signed in from the start. */
  signIn(link: Link): Promise<void>;
}

export function createLogin(options: StreamsOptions, clock: ServerClock): Login | undefined {
  const { key, secret, privateKey } = options;
  if (options.ticket !== undefined) return { signIn: async () => {} };
  if (key === undefined) return undefined;
  if ((secret === undefined) === (privateKey === undefined)) {
    throw new TypeError('Give `secret` for an HMAC key, or `privateKey` for an Ed25519 key.');
  }
  const signer = secret === undefined ? ed25519Signer(privateKey ?? '') : hmacSigner(secret);
  /** A signature is good once, so no two logins share a millisecond. */
  let lastMs = 0;
  return {
    async signIn(link) {
      // A refused login ends the connection, so the clock is measured before.
      if (clock.errorMs === undefined) await ask(link, 'ping');
      lastMs = Math.max(lastMs + 1, clock.now());
      const timestamp = String(lastMs);
      const signature = await signer.sign(`apiKey=${key}&timestamp=${timestamp}`);
      try {
        await ask(link, 'login', { apiKey: key, timestamp, signature });
      } catch (error) {
        // The answer carried the server's time; the next attempt goes by that alone.
        clock.resynchronise();
        throw error;
      }
    },
  };
}
