// What the streams of one's own account need at a process: who logs in, what they follow, and what guards their orders.
import type { Verifier } from '../../../accounts/trading-keys/verify.ts';
import { SUBJECTS } from '../../../platform/bus/subjects.ts';
import type { Admission } from '../../../platform/windows/windows.ts';
import type { FeedFollower } from '../../books/feed.ts';
import type { TradingContext } from '../../context.ts';
import type { Limits } from '../../http/limits.ts';
import type { Connection } from '../connection.ts';
import { watchCredentials, type Credentials } from '../credentials.ts';
import { createGuards, type Guards } from '../guards/guards.ts';
import { createPrivateFeed, type PrivateFeed } from './feed.ts';
import { Follower, PRIVATE_CHANNELS } from './follower.ts';

export interface OwnStreams {
  readonly verifier: Verifier;
  readonly feed: PrivateFeed;
  readonly credentials: Credentials;
  readonly guards: Guards;
  /** Takes every batch of the log, in order. */
  readonly follower: FeedFollower;
  /** Counts an operation for the connection's account, or throws. */
  admit(connection: Connection): Promise<Admission>;
  /** The connection's place in the stream of its account. */
  follow(connection: Connection): Follower;
  /** The connection has no identity any more: it leaves its private channels. */
  forget(connection: Connection): void;
  stop(): Promise<void>;
}

export interface OwnStreamsOptions {
  readonly ctx: TradingContext;
  readonly verifier: Verifier;
  readonly limits: Limits;
}

const SHARD = 0;

export function createOwnStreams({ ctx, verifier, limits }: OwnStreamsOptions): OwnStreams {
  const feed = createPrivateFeed({
    pool: ctx.database.pool,
    shard: SHARD,
    wake: () => ctx.bus.publish(SUBJECTS.projectionWanted, String(SHARD)),
  });
  const followers = new WeakMap<Connection, Follower>();
  const credentials = watchCredentials({
    ctx,
    onChanged: (connection) => {
      followers
        .get(connection)
        ?.tellAccount(false)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'An account was not told.'));
    },
  });
  const guards = createGuards(ctx, feed);

  return {
    verifier,
    feed,
    credentials,
    guards,
    follower: {
      onChange: () => {},
      onReset: () => {},
      onBatch(batch) {
        try {
          feed.take(batch);
        } catch (error) {
          // What cannot be told must not be skipped: those who follow come again, and resume.
          ctx.log.error({ err: error, position: batch.position }, 'A batch could not be streamed.');
          feed.lose();
        }
      },
      onWallet: (event) => feed.takeWallet(event),
      onLost: () => feed.lose(),
    },
    admit: (connection) => limits.countAccount(accountOf(connection)),
    follow(connection) {
      let follower = followers.get(connection);
      if (follower === undefined) {
        const stream = feed.follow(Number(accountOf(connection)));
        follower = new Follower({ ctx, feed }, connection, stream);
        followers.set(connection, follower);
      }
      return follower;
    },
    forget(connection) {
      for (const name of PRIVATE_CHANNELS) connection.unfollow(name);
      followers.get(connection)?.end();
      followers.delete(connection);
    },
    async stop() {
      credentials.stop();
      await guards.stop();
    },
  };
}

function accountOf({ identity }: Connection): bigint {
  if (identity === undefined) throw new Error('Only a connection with an identity has an account.');
  return identity.account.id;
}
