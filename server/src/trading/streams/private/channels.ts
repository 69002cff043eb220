// The channels of the own account.
import { Type } from 'typebox';
import { AccountInfo, Balance } from '../../account/shapes.ts';
import { Deposit } from '../../custody/deposits/shapes.ts';
import { Withdrawal } from '../../custody/withdrawals/shapes.ts';
import { refuse } from '../../http/errors.ts';
import { Order } from '../../orders/order.ts';
import { MyTrade } from '../../orders/trade.ts';
import type { Channel } from '../channel.ts';
import type { Connection } from '../connection.ts';
import type { Streams } from '../services.ts';
import type { Topic } from '../connection.ts';
import type { Follower, PrivateChannel } from './follower.ts';
import { SNAPSHOT_ORDERS_MAX } from './snapshot.ts';
import { SNAPSHOT_WALLET_MAX } from './wallet.ts';

const OrderPush = Type.Object(
  {
    ...Order.properties,
    lastFill: Type.Optional(MyTrade),
  },
  { title: 'OrderPush', description: 'The order, with its last trade if the change was a fill.' },
);

const { volume30d: _, ...OF_ACCOUNT } = AccountInfo.properties;
const AccountState = Type.Object(
  {
    ...OF_ACCOUNT,
    keyId: Type.String({ description: 'The own key, or the session.' }),
    markets: Type.Array(Type.String(), { description: 'Markets of the key; empty: every market.' }),
  },
  { title: 'AccountState' },
);

const privateChannel = (
  name: PrivateChannel,
  declared: Pick<Channel, 'summary' | 'cadence' | 'snapshot' | 'update'>,
): Channel => ({
  ...declared,
  pattern: name,
  access: 'private',
  open: async (streams, _parts, connection) => topicOf(await followerOf(streams, connection), name),
});

export const PRIVATE: readonly Channel[] = [
  privateChannel('orders', {
    summary: `Your orders, each after every change. The snapshot has the open and pending ones, oldest first, at most ${SNAPSHOT_ORDERS_MAX}.`,
    cadence: 'per engine event',
    snapshot: Type.Array(Order),
    update: OrderPush,
  }),
  privateChannel('my_trades', {
    summary: 'Your trades.',
    cadence: 'per engine event',
    snapshot: undefined,
    update: MyTrade,
  }),
  privateChannel('balances', {
    summary:
      'Your balances. The snapshot has every coin; an update has the coins that changed, as they stand after the engine events up to `engineSeq`.',
    cadence: 'per commit of the engine',
    snapshot: Type.Array(Balance),
    update: Type.Array(Balance),
  }),
  privateChannel('wallet', {
    summary: `Your deposits and withdrawals, each after every change of its status, its reason, its block or its transaction; more confirmations are no change. The snapshot has the newest ${SNAPSHOT_WALLET_MAX} of both, the oldest first. It is state: its pushes repeat the present \`streamSeq\` and do not count, and one may repeat what you know. Subscribe again after a resume.`,
    cadence: 'per change',
    snapshot: Type.Array(Type.Union([Deposit, Withdrawal])),
    update: Type.Union([Deposit, Withdrawal]),
  }),
  privateChannel('account', {
    summary:
      'What your account may do, its fees and freezes, and the terms of the key. It is state: the whole of it on subscribing, after a resume and on each change. Its pushes repeat the present `streamSeq` and do not count.',
    cadence: 'per change, within a second',
    snapshot: AccountState,
    update: AccountState,
  }),
];

/** The connection's place in its account's stream, once that is numbered. */
export async function followerOf(streams: Streams, connection: Connection): Promise<Follower> {
  if (connection.identity?.permissions.includes('read') !== true) {
    throw refuse('PERMISSION_DENIED', "The key lacks the permission 'read'.", {
      permission: 'read',
    });
  }
  const follower = streams.own.follow(connection);
  try {
    await follower.ready();
  } catch (error) {
    // The next attempt begins anew.
    streams.own.forget(connection);
    throw error;
  }
  return follower;
}

export const topicOf = (follower: Follower, name: PrivateChannel): Topic => ({
  name,
  pattern: name,
  join: () => follower.join(name),
  leave: () => follower.leave(name),
  // Private pushes are never left out, so there is nothing to catch up with.
  catchUp: () => {},
});
