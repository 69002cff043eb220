// What follows a move: people's settings for the topic move too, and the notices are posted.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { moveUserTopics } from '../../conversations/topics/automatic.ts';
import { isResolved } from '../../conversations/topics/resolved.ts';
import { noteMove, noteResolved, type Thread } from '../notices/moves.ts';

export interface MadeMove {
  readonly actor: User;
  readonly from: Thread;
  readonly to: Thread;
  readonly isResolveToggle: boolean;
  readonly tellsOldThread: boolean;
  readonly tellsNewThread: boolean;
  readonly firstId: number;
  readonly count: number;
  /** No message is left in the old topic. */
  readonly isWhole: boolean;
  /** The topic has another name, and people's settings have stayed with it. */
  readonly isRenamed?: boolean;
  /** The new topic has other messages too. */
  readonly joinsOthers: boolean;
}

export async function followMove(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  move: MadeMove,
): Promise<void> {
  const { actor, from, to, isWhole, joinsOthers } = move;
  if (isWhole && move.isRenamed !== true) {
    const old = { channelId: from.channel.channelId, topic: from.topic };
    const fresh = { channelId: to.channel.channelId, topic: to.topic };
    await moveUserTopics(tx, ctx, old, fresh, joinsOthers);
  }
  if (move.isResolveToggle) return noteResolved(tx, ctx, actor, to, isResolved(to.topic));
  await noteMove(tx, ctx, move);
}
