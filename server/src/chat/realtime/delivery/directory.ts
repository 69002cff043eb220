// The directory of a node: reads rights when they are first needed, then follows the log. A reading and
// the log overlap, so each reading remembers which transactions it saw, and only the others are applied.
import type { RoleCode } from '../../../accounts/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { isVisibleIn, type DatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import type { Audience, LoggedEvent } from '../../../platform/events/event.ts';
import {
  NO_CHANGE,
  type DirectoryChange,
  type Directory,
} from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { withdrawnBy } from './messages.ts';
import { parseReceived } from '../../conversations/channel/received.ts';
import { listChannelRights } from '../../conversations/channel-rights/access.ts';
import type { RightsEvent } from '../../conversations/channel-rights/events.ts';
import { RightsOfNode } from './rights-of-node.ts';
import { shapeEvent } from './shape.ts';
import { listNesting, readMoment, readPersonNow, type Moment } from './store.ts';

/** The events that change rights; everything else passes unread. */
const TYPES: ReadonlySet<string> = new Set(['channel_rights', 'realm_user', 'user_group']);

type GroupEvent =
  | {
      type: 'user_group';
      op: 'add_members' | 'remove_members';
      group_id: number;
      user_ids: number[];
    }
  | {
      type: 'user_group';
      op: 'add_subgroups' | 'remove_subgroups';
      group_id: number;
      direct_subgroup_ids: number[];
    }
  | {
      type: 'user_group';
      op: 'add';
      group: { id: number; members: number[]; direct_subgroup_ids: number[] };
    }
  | { type: 'user_group'; op: 'update' | 'remove' };

type PersonEvent = {
  type: 'realm_user';
  op: string;
  person: { user_id: number; role?: number; is_active?: boolean };
};

type Relevant = RightsEvent | GroupEvent | PersonEvent;

/** A reading under way: what is logged meanwhile may or may not be part of it. */
interface Reading {
  readonly meanwhile: LoggedEvent[];
}

export function createDirectory(ctx: Pick<Context, 'db' | 'inTransaction'>): Directory {
  const node = new RightsOfNode();
  const readings = new Set<Reading>();
  /** Which transactions were seen by what was read, of everybody and of each reader. */
  let seenByAll: DatabaseSnapshot | undefined;
  const seenBy = new Map<number, DatabaseSnapshot>();
  const entering = new Map<number, Promise<number>>();
  let opening: Promise<number> | undefined;
  /** From here on, what is known of everybody is exact. */
  let exactFrom = 0;

  /** Reads in one snapshot while the log goes on; `install` then gets what it has to catch up on. */
  async function reading<T>(
    read: () => Promise<{ moment: Moment; found: T }>,
    install: (found: T, snapshot: DatabaseSnapshot, meanwhile: readonly LoggedEvent[]) => void,
  ): Promise<number> {
    const under: Reading = { meanwhile: [] };
    readings.add(under);
    try {
      const { moment, found } = await read();
      install(
        found,
        moment.snapshot,
        under.meanwhile.filter(({ xid }) => !isVisibleIn(moment.snapshot, xid)),
      );
      return moment.position;
    } finally {
      readings.delete(under);
    }
  }

  const readAll = () =>
    ctx.inTransaction(
      async (tx) => ({
        moment: await readMoment(tx),
        found: { nesting: await listNesting(tx), channels: await listChannelRights(tx) },
      }),
      { isolation: 'repeatable read' },
    );

  function open(): Promise<number> {
    seenByAll = undefined;
    seenBy.clear();
    node.clear();
    const work = reading(readAll, ({ nesting, channels }, snapshot, meanwhile) => {
      // Another call has begun since, and will bring newer knowledge.
      if (opening !== work) return;
      for (const { groupId, subgroupId } of nesting) node.putNesting(groupId, subgroupId);
      for (const [id, rights] of channels) node.putChannel(id, rights);
      seenByAll = snapshot;
      for (const event of meanwhile) applyToAll(parse(event));
    }).then((position) => {
      exactFrom = position;
      return position;
    });
    opening = work;
    work.catch(() => {
      // Whoever needs the directory next tries again.
      if (opening === work) opening = undefined;
    });
    return work;
  }

  async function enter(userId: number): Promise<number> {
    for (;;) {
      const base = opening ?? open();
      await base;
      if (node.knows(userId)) return exactFrom;
      const under = entering.get(userId) ?? readPerson(userId, base);
      entering.set(userId, under);
      try {
        const position = await under;
        // Otherwise everything was forgotten meanwhile, and is read once more.
        if (opening === base) return Math.max(position, exactFrom);
      } finally {
        if (entering.get(userId) === under) entering.delete(userId);
      }
    }
  }

  function readPerson(userId: number, base: Promise<number>): Promise<number> {
    return reading(
      () => readPersonNow(ctx.db, userId),
      (person, snapshot, meanwhile) => {
        if (opening !== base || person === undefined || !person.isActive) return;
        node.putReader(userId, {
          role: person.role as RoleCode,
          groupIds: person.groupIds,
          memberships: person.subscriptions.map(({ channelId, isActive, received }) => [
            channelId,
            { isActive, received: parseReceived(received) },
          ]),
        });
        seenBy.set(userId, snapshot);
        for (const event of meanwhile) applyTo(userId, parse(event));
      },
    );
  }

  function leave(userId: number): void {
    node.dropReader(userId);
    seenBy.delete(userId);
  }

  function apply(event: LoggedEvent): DirectoryChange {
    if (!TYPES.has(event.type)) return NO_CHANGE;
    for (const under of readings) under.meanwhile.push(event);
    if (seenByAll === undefined) return NO_CHANGE;
    const relevant = parse(event);
    if (!isVisibleIn(seenByAll, event.xid)) applyToAll(relevant);
    const affected = affectedBy(relevant);
    for (const userId of affected === 'everybody' ? [] : affected) {
      const seen = seenBy.get(userId);
      if (seen !== undefined && !isVisibleIn(seen, event.xid)) applyTo(userId, relevant);
    }
    const gone =
      relevant.type === 'realm_user' && relevant.person.is_active === false
        ? [relevant.person.user_id]
        : [];
    return { affected, gone };
  }

  /** What concerns no single person: channels, and which group is in which. */
  function applyToAll(event: Relevant): void {
    if (event.type === 'channel_rights' && event.op === 'set') node.applyChannel(event);
    if (event.type !== 'user_group') return;
    if (event.op === 'add_subgroups' || event.op === 'remove_subgroups') {
      for (const inner of event.direct_subgroup_ids) {
        node.setNesting(event.group_id, inner, event.op === 'add_subgroups');
      }
    }
    if (event.op === 'add') {
      for (const inner of event.group.direct_subgroup_ids) {
        node.setNesting(event.group.id, inner, true);
      }
    }
  }

  /** What concerns this reader alone. */
  function applyTo(userId: number, event: Relevant): void {
    if (event.type === 'channel_rights') {
      if (event.op !== 'set' && event.user_ids.includes(userId)) node.moveReader(userId, event);
    } else if (event.type === 'realm_user') {
      const { user_id, role } = event.person;
      if (event.op === 'update' && user_id === userId && role !== undefined) {
        node.setRole(userId, role as RoleCode);
      }
    } else if (event.op === 'add') {
      if (event.group.members.includes(userId)) node.setMember(event.group.id, userId, true);
    } else if (event.op === 'add_members' || event.op === 'remove_members') {
      if (event.user_ids.includes(userId)) {
        node.setMember(event.group_id, userId, event.op === 'add_members');
      }
    }
  }

  /** Whom of this node the event may touch. Long lists are walked from the shorter side. */
  function affectedBy(event: Relevant): Iterable<number> | 'everybody' {
    if (event.type === 'realm_user') return [event.person.user_id];
    if (event.type === 'channel_rights') return event.op === 'set' ? 'everybody' : event.user_ids;
    if (event.op === 'add') return event.group.members;
    if (event.op === 'add_members' || event.op === 'remove_members') return event.user_ids;
    return event.op === 'add_subgroups' || event.op === 'remove_subgroups' ? 'everybody' : [];
  }

  function isWide({ filter }: QueueDescription): boolean {
    const { allPublicChannels, narrow } = filter as {
      allPublicChannels?: boolean;
      narrow?: unknown[];
    };
    return allPublicChannels === true || (narrow?.length ?? 0) > 0;
  }

  function admits(queue: QueueDescription, audience: Audience): boolean {
    const { userId } = queue;
    const { capability } = audience;
    if (capability !== undefined && hasCapability(queue, capability.name) !== capability.has) {
      return false;
    }
    if (node.admits(userId, audience)) return !isHidden(queue, audience);
    if (!('channel' in audience) || audience.isMessage !== true || !isWide(queue)) return false;
    return audience.except?.includes(userId) !== true && node.isOpenTo(userId, audience.channel);
  }

  /** An archived channel does not exist for clients that do not know archived channels. */
  const isHidden = (queue: QueueDescription, audience: Audience): boolean =>
    'channel' in audience &&
    audience.who !== 'subscribers' &&
    audience.capability === undefined &&
    node.isArchived(audience.channel) &&
    !hasCapability(queue, 'archived_channels');

  return {
    open,
    enter,
    leave,
    apply,
    admits,
    isWide,
    channelsOf: (userId) => node.channelsOf(userId),
    withdraws: withdrawnBy,
    mayKeep: (userId, audience) => node.mayKeep(userId, audience),
    *candidates({ channel, who, also = [], called = [] }) {
      if (who !== 'subscribers') return yield* node.readerIds;
      const subscribers = node.subscribersOf(channel);
      yield* subscribers;
      for (const userId of new Set([...also, ...called])) {
        if (!subscribers.has(userId)) yield userId;
      }
    },
    shape: (event, queue) => shapeEvent(event, queue, node),
  };
}

const parse = (event: LoggedEvent): Relevant => JSON.parse(event.payload) as Relevant;

function hasCapability({ filter }: QueueDescription, name: string): boolean {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  return capabilities?.[name] === true;
}
