// Guards: a connection that asked for it has its orders canceled when it drops. The guard and the names of its orders
// are rows, written before an order is placed, so they outlive the process that serves the connection: its lease runs
// out, and any other api process cancels the orders.
import type { Order } from '@rialto/matching';
import { rarely } from '../../../platform/observe/rarely.ts';
import { gather } from '../../../platform/std/gather.ts';
import { randomHex } from '../../../platform/std/ids.ts';
import type { TradingContext } from '../../context.ts';
import { refuse } from '../../http/errors.ts';
import { isLive } from '../../order-tables.ts';
import type { Connection } from '../connection.ts';
import type { NumberedPush } from '../private/numbered.ts';
import type { PrivateFeed } from '../private/feed.ts';
import type { AccountStream, Listener } from '../private/account-stream.ts';
import {
  deleteGuarded,
  deleteGuards,
  insertGuard,
  insertGuarded,
  listGuarded,
  releaseGuards,
  renewGuards,
  takeGuards,
  type GuardedOrder,
} from './store.ts';
import { startGuardSweeper } from './sweeper.ts';

/** How long a guard outlives its process, beyond its grace. */
export const LEASE_MS = 4000;
export const GRACE_MAX_MS = 60_000;
const TICK_MS = 250;
const RENEW_MS = 1000;
/** How long after a resume the guards of a process that died are waited for. */
const CLAIM_MS = LEASE_MS + 2000;
/** Orders of one connection that can be guarded at a time; markets allow fewer open orders. */
const ORDERS_MAX = 10_000;
/** Bounds one statement. */
const AT_ONCE = 500;
const COMPLAIN_EVERY_MS = 5000;

export interface Guards {
  /** Guards the orders that the connection places from now on. */
  raise(connection: Connection, graceMs: number): Promise<void>;
  /** Guards them no more: logout, or the client's wish. */
  drop(connection: Connection): Promise<void>;
  /** Takes over what the same key had guarded on a connection that dropped. */
  claim(connection: Connection): void;
  has(connection: Connection): boolean;
  /** Notes orders before they are placed. Returns a name for each: its own, or a new one. */
  note(connection: Connection, names: readonly (string | undefined)[]): Promise<string[]>;
  /** These were not placed, or not by this connection. */
  forget(connection: Connection, names: readonly string[]): void;
  stop(): Promise<void>;
}

/** The guards of one connection: its own, and those that it took over. */
class Held implements Listener {
  readonly ids: bigint[] = [];
  readonly orders = new Map<string, bigint>();
  readonly ended: GuardedOrder[] = [];
  readonly stream: AccountStream;

  constructor(stream: AccountStream) {
    this.stream = stream;
    stream.attach(this);
  }

  /** Orders that ended need no guard. */
  take({ push }: NumberedPush): void {
    if (push.channel === 'orders' && !isLive(push.order)) this.end(push.order);
  }

  takeWallet(): void {}

  end({ clientOrderId }: Pick<Order, 'clientOrderId'>): void {
    const guardId = this.orders.get(clientOrderId);
    if (guardId === undefined) return;
    this.orders.delete(clientOrderId);
    this.ended.push({ guardId, clientOrderId });
  }

  /** The connections of the account are closed with their streams. */
  lose(): void {}
}

export function createGuards(ctx: TradingContext, feed: PrivateFeed): Guards {
  const held = new Map<Connection, Held>();
  const claims = new Map<Connection, number>();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const insert = gather(AT_ONCE, async (orders: readonly GuardedOrder[]) => {
    const noted = await insertGuarded(ctx.db, orders);
    return orders.map(({ guardId, clientOrderId }) => noted.has(`${guardId} ${clientOrderId}`));
  });
  const sweeper = startGuardSweeper(ctx);
  let renewedMs = 0;
  let isBusy = false;

  const timer = setInterval(() => {
    if (isBusy || (held.size === 0 && claims.size === 0)) return;
    isBusy = true;
    tick()
      .catch((error: unknown) => {
        complain((keptBack) =>
          ctx.log.warn({ err: error, keptBack }, 'Guards of streams could not be renewed.'),
        );
      })
      .finally(() => (isBusy = false));
  }, TICK_MS);
  timer.unref();

  async function tick(): Promise<void> {
    const nowMs = performance.now();
    for (const [connection, untilMs] of claims) {
      if (nowMs > untilMs || !connection.isOpen) claims.delete(connection);
      else await take(connection);
    }
    if (nowMs - renewedMs < RENEW_MS) return;
    renewedMs = nowMs;
    const all = [...held];
    const ids = all.flatMap(([, one]) => one.ids);
    if (ids.length === 0) return;
    const there = await renewGuards(ctx.db, ids, LEASE_MS);
    for (const [connection, one] of all) {
      // Its orders were canceled because we were silent for too long; the client must know.
      if (one.ids.some((id) => !there.has(id))) connection.close('fault');
    }
    const ended = all.flatMap(([, one]) => one.ended.splice(0));
    if (ended.length > 0) await deleteGuarded(ctx.db, ended);
  }

  async function take(connection: Connection): Promise<void> {
    const { identity } = connection;
    if (identity === undefined) return;
    const { keyId, account } = identity;
    const rows = await takeGuards(ctx.db, { keyId, accountId: account.id }, LEASE_MS);
    if (rows.length === 0) return;
    const one = holdFor(connection, account.id);
    one.ids.push(...rows.map(({ id }) => id));
    for (const { id } of rows) {
      for (const name of await listGuarded(ctx.db, id)) one.orders.set(name, id);
    }
    if (!connection.isOpen) await release(connection);
  }

  function holdFor(connection: Connection, accountId: bigint): Held {
    let one = held.get(connection);
    if (one === undefined) {
      one = new Held(feed.follow(Number(accountId)));
      held.set(connection, one);
      connection.onClosed(() => {
        release(connection).catch((error: unknown) =>
          // The lease runs out by itself.
          ctx.log.warn({ err: error }, 'A guard of a stream could not be released.'),
        );
      });
    }
    return one;
  }

  function letGo(connection: Connection): Held | undefined {
    const one = held.get(connection);
    held.delete(connection);
    claims.delete(connection);
    one?.stream.detach(one);
    return one;
  }

  async function release(connection: Connection): Promise<void> {
    const one = letGo(connection);
    if (one === undefined || one.ids.length === 0) return;
    await releaseGuards(ctx.db, one.ids);
    sweeper.lookSoon();
  }

  return {
    async raise(connection, graceMs) {
      const { identity } = connection;
      if (identity === undefined) return;
      const { keyId, account } = identity;
      const guard = { accountId: account.id, keyId, graceMs };
      const id = await insertGuard(ctx.db, guard, LEASE_MS);
      const one = holdFor(connection, account.id);
      // Orders are noted with the newest, which has the grace that was asked for last.
      one.ids.unshift(id);
      if (!connection.isOpen) await release(connection);
    },
    async drop(connection) {
      const one = letGo(connection);
      if (one !== undefined && one.ids.length > 0) await deleteGuards(ctx.db, one.ids);
    },
    claim(connection) {
      claims.set(connection, performance.now() + CLAIM_MS);
    },
    has: (connection) => (held.get(connection)?.ids.length ?? 0) > 0,
    async note(connection, names) {
      const one = held.get(connection);
      const guardId = one?.ids[0];
      if (one === undefined || guardId === undefined) throw gone();
      if (one.orders.size + names.length > ORDERS_MAX) {
        throw refuse(
          'TOO_MANY_OPEN_ORDERS',
          `A connection guards at most ${ORDERS_MAX} orders. Cancel some, or switch cancel_on_disconnect off.`,
        );
      }
      const given = names.map((name) => name ?? `disconnect-${randomHex(8)}`);
      const noted = await Promise.all(
        given.map((clientOrderId) => insert({ guardId, clientOrderId })),
      );
      if (noted.includes(false) || !connection.isOpen) throw gone();
      for (const name of given) one.orders.set(name, guardId);
      return given;
    },
    forget(connection, names) {
      const one = held.get(connection);
      for (const clientOrderId of names) one?.end({ clientOrderId });
    },
    async stop() {
      clearInterval(timer);
      await sweeper.stop();
    },
  };
}

const gone = () =>
  refuse(
    'UNAVAILABLE',
    'The connection drops, so its orders would be canceled at once. Nothing was done; connect again.',
  );
