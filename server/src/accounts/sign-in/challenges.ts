// The challenge of a sign-in under way, which a passkey signs. It is in the row of the sign-in: a new one replaces it.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

/** How long a browser may take to answer. */
const CHALLENGE_MINUTES = 5;

/** False when the sign-in is over. */
export async function putChallenge(db: Db, lookup: Buffer, challenge: Buffer): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sign_ins SET challenge = ${challenge}, challenge_at = now()
     WHERE lookup = ${lookup} AND used_at IS NULL AND expires_at > now()
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

interface Given {
  readonly challenge: Buffer;
  /** Who has given a first proof in this sign-in. */
  readonly userId: number;
  /** The sign-in that it was given to. */
  readonly lookup: Buffer;
}

/** Takes the challenge of a sign-in that waits for this person's second factor: true once. */
export async function takeSignInChallenge(
  db: Db,
  { challenge, userId, lookup }: Given,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sign_ins SET challenge = NULL
     WHERE challenge = ${challenge} AND user_id = ${userId} AND stage = 'factor'
       AND lookup = ${lookup}
       AND challenge_at > now() - ${CHALLENGE_MINUTES} * interval '1 minute'
       AND used_at IS NULL AND expires_at > now()
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Begins a sign-in without a name: the passkey will say whose it is. */
export async function insertChallengeAlone(
  db: Db,
  lookup: Buffer,
  challenge: Buffer,
): Promise<void> {
  await sql`
    INSERT INTO sign_ins (lookup, stage, challenge, challenge_at, expires_at)
    VALUES (${lookup}, 'started', ${challenge}, now(),
            now() + ${CHALLENGE_MINUTES} * interval '1 minute')`.execute(db);
}

/** Ends that sign-in: true once, and only for its challenge. */
export async function takeChallengeAlone(
  db: Db,
  lookup: Buffer,
  challenge: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sign_ins SET used_at = now(), stage = 'done', challenge = NULL
     WHERE lookup = ${lookup} AND stage = 'started' AND user_id IS NULL AND challenge = ${challenge}
       AND used_at IS NULL AND expires_at > now()
    RETURNING 1`.execute(db);
  return rows.length > 0;
}
