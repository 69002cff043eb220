// Challenges: 256 random bits that a passkey signs, good once and for five minutes.
import { randomBytes } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { deleteOldChallenges, insertChallenge, type Challenge } from './store.ts';

export const CHALLENGE_MINUTES = 5;
const CHALLENGE_BYTES = 32;
/** Open ones of a person; one more replaces the oldest. */
const CHALLENGES_MAX = 10;

export const createChallenge = (): Buffer => randomBytes(CHALLENGE_BYTES);

/** Stores a new one for a person who is signed in. */
export async function openChallenge(
  ctx: Context,
  given: Omit<Challenge, 'challenge'>,
): Promise<Buffer> {
  const challenge = createChallenge();
  const limits = { minutes: CHALLENGE_MINUTES, keep: CHALLENGES_MAX };
  await ctx.inTransaction((tx) => insertChallenge(tx, { ...given, challenge }, limits));
  return challenge;
}

/** The challenge that a browser says it was given; undefined if that cannot be one of ours. */
export function challengeIn(clientDataJson: string): Buffer | undefined {
  try {
    const text = Buffer.from(clientDataJson, 'base64url').toString('utf8');
    const { challenge } = JSON.parse(text) as { readonly challenge?: unknown };
    if (typeof challenge !== 'string') return undefined;
    const bytes = Buffer.from(challenge, 'base64url');
    return bytes.length === CHALLENGE_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Removes challenges that nobody answered; returns how many. */
export const forgetChallenges = ({ db }: Context): Promise<number> => deleteOldChallenges(db);
