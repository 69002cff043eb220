// The phrase that heads emails to the person who chose it. Every email passes here, so none is without it.
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** The encryption is bound to the person: a phrase that was moved to another row does not open. */
export const phraseOwner = (userId: number | string): string => `phrase ${userId}`;

/** Undefined for a mailbox of nobody, of nobody with a phrase, or that its account has not confirmed. */
export async function findPhrase(
  db: Db,
  secrets: Pick<Secrets, 'open'>,
  email: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    SELECT id, phrase_sealed AS sealed FROM users
     WHERE lower(email) = ${email.toLowerCase()} AND phrase_sealed IS NOT NULL AND address_given_at IS NULL`.execute(
    db,
  );
  const [found] = rows;
  return found && secrets.open(phraseOwner(found.id), found.sealed);
}
