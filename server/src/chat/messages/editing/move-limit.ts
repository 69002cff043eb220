// The time limit for moving a whole topic: the actor must be allowed to move each of its messages.
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { moveLimitExceeded } from '../message/errors.ts';
import { countMovable, type Asked, type PropagateMode } from '../message/move-store.ts';
import { GRACE_SECONDS } from '../message/time-limit.ts';

export interface LimitedChange {
  readonly propagateMode: PropagateMode;
  readonly isResolveToggle: boolean;
  readonly topic: string | undefined;
  readonly target: unknown;
}

/** Messages that were sent earlier may not be moved with their topic. Undefined if there is no limit. */
export function movableSince(
  actor: Pick<User, 'role'>,
  settings: Readonly<Record<string, RealmValue>>,
  { propagateMode, isResolveToggle, target, topic }: LimitedChange,
  nowMs: number,
): Date | undefined {
  if (propagateMode !== 'change_all' || isResolveToggle) return undefined;
  if (hasAtLeast(actor.role, 'moderator')) return undefined;
  const limits = [
    ...(topic !== undefined ? [settings['move_messages_within_stream_limit_seconds']] : []),
    ...(target !== undefined ? [settings['move_messages_between_streams_limit_seconds']] : []),
  ].filter((limit): limit is number => typeof limit === 'number');
  if (limits.length === 0) return undefined;
  return new Date(nowMs - (Math.min(...limits) + GRACE_SECONDS) * 1000);
}

/** Says how many messages may be moved. It counts all of them, so no lock is held meanwhile. */
export async function refuseOldTopic(db: Db, asked: Asked, since: Date): Promise<never> {
  const counted = await countMovable(db, asked, since);
  if (counted.firstSince === undefined) {
    throw badRequest('The time limit for moving this topic has passed.');
  }
  throw moveLimitExceeded(counted.firstSince, counted.total, counted.since);
}
