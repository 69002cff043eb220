// Which ways into an account there are, so that the last one is not taken away.
import { sql } from 'kysely';
import type { Config } from '../../platform/config/schema.ts';
import type { Db } from '../../platform/db/pool.ts';
import { hasDirectory } from '../ldap/settings.ts';
import { providersOf } from '../oidc/settings.ts';
import { readMethodsOff, type AuthenticationMethod } from '../organization.ts';
import { ROLE } from '../roles.ts';
import type { User } from '../user.ts';

type Ways = Pick<Config, 'OIDC_PROVIDERS_FILE' | 'OIDC_ALLOW_HTTP' | 'MONEY' | 'LDAP_URL'>;

interface Counted {
  readonly password: boolean;
  readonly directory: boolean;
  readonly provider: boolean;
  readonly passkey: boolean;
}

/** What each of these people can sign in with, as stored. */
async function readWays(db: Db, config: Ways, userIds: readonly number[]): Promise<Counted[]> {
  const issuers = providersOf(config).map(({ issuer }) => issuer);
  const { rows } = await sql<Counted>`
    SELECT u.password_hash IS NOT NULL AS password,
           EXISTS (SELECT FROM directory_identities d WHERE d.user_id = u.id) AS directory,
           EXISTS (SELECT FROM oidc_identities i
                    WHERE i.user_id = u.id AND i.issuer = ANY (${issuers}::text[])) AS provider,
           EXISTS (SELECT FROM passkeys p
                    WHERE p.user_id = u.id AND p.alone AND p.suspected_at IS NULL) AS passkey
      FROM users u WHERE u.id = ANY (${userIds}::integer[]) AND u.is_active`.execute(db);
  return rows;
}

const isOpen = (
  { password, directory, provider, passkey }: Counted,
  config: Ways,
  off: readonly AuthenticationMethod[],
): boolean =>
  passkey ||
  (password && !off.includes('Email')) ||
  (directory && hasDirectory(config) && !off.includes('LDAP')) ||
  (provider && !off.includes('OpenID Connect'));

/** Whether the person can still sign in, by what the transaction sees. */
export async function hasOtherWay(
  tx: Db,
  config: Ways,
  { id }: Pick<User, 'id'>,
): Promise<boolean> {
  const off = await readMethodsOff(tx);
  return (await readWays(tx, config, [id])).some((one) => isOpen(one, config, off));
}

/** Whether some owner could sign in if these methods were off. */
export async function canAnOwnerSignIn(
  tx: Db,
  config: Ways,
  off: readonly AuthenticationMethod[],
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM users WHERE role = ${sql.lit(ROLE.owner)} AND bot_type IS NULL AND is_active`.execute(
    tx,
  );
  const ids = rows.map(({ id }) => id);
  return (await readWays(tx, config, ids)).some((one) => isOpen(one, config, off));
}
