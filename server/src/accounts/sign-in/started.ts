// Sign-ins that wait for something outside: a provider's answer, or the consent to sign an app in. The browser keeps a
// token; the row is found by its keyed hash and is good once.
import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';

/** How long a sign-in may take. */
export const SIGN_IN_MINUTES = 10;

export interface Started {
  /** What the browser proves itself with: the text whose keyed hash is the row's key. */
  readonly token: string;
  readonly provider: string;
  /** What the provider repeats; undefined where none is asked. */
  readonly state?: string | undefined;
  /** The person who is signed in already, if this is for them alone. */
  readonly userId?: number | undefined;
  /** Kept sealed. */
  readonly secret: unknown;
  readonly next?: string | undefined;
}

const lookupOf = (secrets: Secrets, token: string): Buffer =>
  secrets.lookup('sign-in token', token);
const stateOf = (secrets: Secrets, state: string): Buffer => secrets.lookup('sign-in state', state);
const ownerOf = (lookup: Buffer): string => `sign-in ${lookup.toString('hex')}`;

/** A second one for the same token replaces the first. */
export async function insertStarted(
  db: Db,
  { secrets }: Pick<Context, 'secrets'>,
  { token, provider, state, userId, secret, next }: Started,
): Promise<void> {
  const lookup = lookupOf(secrets, token);
  const sealed = secrets.seal(ownerOf(lookup), JSON.stringify(secret));
  const stateLookup = state === undefined ? null : stateOf(secrets, state);
  await sql`
    INSERT INTO sign_ins (lookup, user_id, stage, provider, state_lookup, sealed, next, expires_at)
    VALUES (${lookup}, ${userId ?? null}, 'started', ${provider}, ${stateLookup}, ${sealed},
            ${next ?? null}, now() + ${SIGN_IN_MINUTES} * interval '1 minute')
    ON CONFLICT (lookup) DO UPDATE
      SET user_id = excluded.user_id, stage = 'started', provider = excluded.provider,
          state_lookup = excluded.state_lookup, sealed = excluded.sealed, next = excluded.next,
          created_at = now(), expires_at = excluded.expires_at, used_at = NULL`.execute(db);
}

export interface Consumed {
  readonly token: string;
  readonly userId: number | null;
  readonly secret: unknown;
  readonly next: string | undefined;
  readonly createdAt: Date;
}

/**
 * Spends the row of one of these tokens, if it is for this provider and this state: one statement, committed before
 * anything that it allows.
 */
export async function consumeStarted(
  db: Db,
  { secrets }: Pick<Context, 'secrets'>,
  {
    tokens,
    provider,
    state,
  }: { readonly tokens: readonly string[]; readonly provider: string; readonly state?: string },
): Promise<Consumed | undefined> {
  const lookups = tokens.map((token) => lookupOf(secrets, token));
  const stateLookup = state === undefined ? null : stateOf(secrets, state);
  const { rows } = await sql<Row>`
    UPDATE sign_ins SET used_at = now(), stage = 'done'
     WHERE lookup = ANY (${lookups}::bytea[]) AND provider = ${provider} AND stage = 'started'
       AND state_lookup IS NOT DISTINCT FROM ${stateLookup}
       AND used_at IS NULL AND expires_at > now()
    RETURNING lookup, user_id AS "userId", sealed, next, created_at AS "createdAt"`.execute(db);
  return toConsumed(secrets, tokens, lookups, rows[0]);
}

/** The same without spending it, for a page that asks first. */
export async function findStarted(
  db: Db,
  { secrets }: Pick<Context, 'secrets'>,
  { token, provider }: { readonly token: string; readonly provider: string },
): Promise<Consumed | undefined> {
  const lookup = lookupOf(secrets, token);
  const { rows } = await sql<Row>`
    SELECT lookup, user_id AS "userId", sealed, next, created_at AS "createdAt" FROM sign_ins
     WHERE lookup = ${lookup} AND provider = ${provider} AND stage = 'started'
       AND used_at IS NULL AND expires_at > now()`.execute(db);
  return toConsumed(secrets, [token], [lookup], rows[0]);
}

interface Row {
  readonly lookup: Buffer;
  readonly userId: number | null;
  readonly sealed: Buffer | null;
  readonly next: string | null;
  readonly createdAt: Date;
}

function toConsumed(
  secrets: Secrets,
  tokens: readonly string[],
  lookups: readonly Buffer[],
  row: Row | undefined,
): Consumed | undefined {
  if (row === undefined || row.sealed === null) return undefined;
  const token = tokens[lookups.findIndex((lookup) => lookup.equals(row.lookup))];
  if (token === undefined) return undefined;
  const secret: unknown = JSON.parse(secrets.open(ownerOf(row.lookup), row.sealed));
  return {
    token,
    userId: row.userId,
    secret,
    next: row.next ?? undefined,
    createdAt: row.createdAt,
  };
}
