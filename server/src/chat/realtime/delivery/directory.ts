// The chat's `Directory` for the hub of a node: people's rights, and the form of events for each client.
import { hostOf, type Context } from '../../../platform/context.ts';
import type { Directory } from '../../../platform/realtime/directory.ts';
import { withdrawnByMutedTopics } from '../../conversations/topics/muted-topics.ts';
import { withdrawnBy } from './messages.ts';
import { admits, candidatesFor, isWide } from './admission.ts';
import { FollowedRights } from './followed-rights.ts';
import { RightsOfNode } from './rights-of-node.ts';
import { shapeEvent } from './shape.ts';

export function createDirectory(ctx: Pick<Context, 'db' | 'inTransaction' | 'config'>): Directory {
  const node = new RightsOfNode(hostOf(ctx));
  const rights = new FollowedRights(ctx, node);
  return {
    open: () => rights.open(),
    enter: (userId) => rights.enter(userId),
    leave: (userId) => rights.leave(userId),
    apply: (event) => rights.apply(event),
    isWide,
    admits: (queue, audience) => admits(node, queue, audience),
    candidates: (audience) => candidatesFor(node, audience),
    channelsOf: (userId) => node.channelsOf(userId),
    mayKeep: (userId, audience) => node.mayKeep(userId, audience),
    withdraws: (event) => withdrawnBy(event) ?? withdrawnByMutedTopics(event),
    shape: (event, queue) => shapeEvent(event, queue, node),
  };
}
