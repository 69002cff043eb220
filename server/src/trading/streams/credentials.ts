// Looks, for all connections of this process, whether their keys and sessions still hold. A connection whose key was
// revoked or disabled, has expired or may not come from its address any more is closed, and so is one whose session
// has ended or whose owner was deactivated. It is a question to the database a few times a second, because a change
// may be made at any process, or by hand.
import { listLiveSessions } from '../../accounts/sessions/access.ts';
import { findKeys, findMainAccountOf } from '../../accounts/trading-keys/access.ts';
import { isInRanges } from '../../platform/http/address.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import type { TradingContext } from '../context.ts';
import type { Connection } from './connection.ts';
import type { Identity } from './identity.ts';

const LOOK_MS = 400;
/** Bounds one statement. */
const AT_ONCE = 500;
const COMPLAIN_EVERY_MS = 5000;

export interface Credentials {
  /** Looks after a connection that has just got its identity, until it ends. */
  watch(connection: Connection): void;
  stop(): void;
}

export interface CredentialOptions {
  readonly ctx: TradingContext;
  /** The identity of a connection has changed, for instance its account's fee tier. */
  onChanged(connection: Connection): void;
}

export function watchCredentials({ ctx, onChanged }: CredentialOptions): Credentials {
  const watched = new Set<Connection>();
  const complain = rarely(COMPLAIN_EVERY_MS);
  let isLooking = false;

  const timer = setInterval(() => {
    if (isLooking || watched.size === 0) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'The keys of streams could not be checked.'),
        );
      })
      .finally(() => (isLooking = false));
  }, LOOK_MS);
  timer.unref();

  async function look(): Promise<void> {
    const connections = [...watched];
    for (let at = 0; at < connections.length; at += AT_ONCE) {
      await lookAt(connections.slice(at, at + AT_ONCE));
    }
  }

  async function lookAt(connections: readonly Connection[]): Promise<void> {
    const own = connections.flatMap((connection) => {
      const { identity } = connection;
      return identity === undefined ? [] : [{ connection, identity }];
    });
    const keyed = own.filter(({ identity }) => identity.session === undefined);
    const keys = await findKeys(
      ctx.database.pool,
      keyed.map(({ identity }) => identity.keyId),
    );
    const nowMs = ctx.clock.now();
    for (const [index, { connection, identity }] of keyed.entries()) {
      const key = keys[index];
      const isUsable =
        key !== undefined &&
        key.isEnabled &&
        key.isOwnerActive &&
        (key.expiresAt === null || key.expiresAt.getTime() > nowMs) &&
        (key.ipAllowlist.length === 0 || isInRanges(connection.address, key.ipAllowlist));
      if (!isUsable) connection.close('keyRevoked');
      else settle(connection, identity, key);
    }
    await lookAtSessions(own);
  }

  async function lookAtSessions(
    own: readonly { connection: Connection; identity: Identity }[],
  ): Promise<void> {
    const ids = own.flatMap(({ identity: { session } }) => (session ? [session.id] : []));
    if (ids.length === 0) return;
    const live = await listLiveSessions(ctx, ids);
    for (const { connection, identity } of own) {
      const { session } = identity;
      if (session === undefined) continue;
      const account = live.has(session.id)
        ? await findMainAccountOf(ctx.db, session.user.id)
        : undefined;
      if (account === undefined) connection.close('keyRevoked');
      else settle(connection, identity, { ...identity, account });
    }
  }

  /** The frame that comes next is served by what holds now. */
  function settle(
    connection: Connection,
    before: Identity,
    { permissions, markets, account }: Pick<Identity, 'permissions' | 'markets' | 'account'>,
  ): void {
    const after = { ...before, permissions, markets, account };
    if (textOf(after) === textOf(before)) return;
    connection.identity = after;
    // Whoever may no longer read must not be told anything more.
    if (!permissions.includes('read') && before.permissions.includes('read')) {
      connection.close('keyRevoked');
    } else onChanged(connection);
  }

  return {
    watch(connection) {
      watched.add(connection);
      connection.onClosed(() => watched.delete(connection));
    },
    stop: () => clearInterval(timer),
  };
}

const textOf = ({ permissions, markets, account }: Identity): string =>
  JSON.stringify([permissions, markets, { ...account, id: '', parentAccountId: '' }]);
