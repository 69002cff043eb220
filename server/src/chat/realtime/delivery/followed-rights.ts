// Keeps the rights that a node knows up to date: reads them when they are first needed, then follows the log. A read
// and the log overlap, so each read remembers which transactions it saw, and only the others are applied.
import type { RoleCode } from '../../../accounts/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { isVisibleIn, type DatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { NO_CHANGE, type DirectoryChange } from '../../../platform/realtime/directory.ts';
import { parseReceived } from '../../conversations/channel/received.ts';
import { knownIds } from '../../rights/sight/access.ts';
import { Readings } from './readings.ts';
import {
  affectedBy,
  applyToAll,
  applyToPerson,
  changesRights,
  goneBy,
  parseChange,
} from './rights-changes.ts';
import type { RightsOfNode } from './rights-of-node.ts';
import { listChannelRights } from '../../conversations/channel-rights/access.ts';
import { listNesting, readMoment, readPersonNow } from './store.ts';

type Database = Pick<Context, 'db' | 'inTransaction'>;

export class FollowedRights {
  readonly #database: Database;
  readonly #node: RightsOfNode;
  readonly #readings = new Readings();
  /** Which transactions the reads saw: the read of everybody, and that of each person. */
  #seenByAll: DatabaseSnapshot | undefined;
  readonly #seenBy = new Map<number, DatabaseSnapshot>();
  readonly #entering = new Map<number, Promise<number>>();
  #opening: Promise<number> | undefined;
  /** From here on, what is known of everybody is exact. */
  #exactFrom = 0;

  constructor(database: Database, node: RightsOfNode) {
    this.#database = database;
    this.#node = node;
  }

  open(): Promise<number> {
    const node = this.#node;
    this.#seenByAll = undefined;
    this.#seenBy.clear();
    node.clear();
    const work = this.#readings
      .read(
        () => readAll(this.#database),
        ({ nesting, channels }, snapshot, meanwhile) => {
          // A newer read has begun, and will replace this one.
          if (this.#opening !== work) return;
          for (const { groupId, subgroupId } of nesting) node.putNesting(groupId, subgroupId);
          for (const [id, rights] of channels) node.putChannel(id, rights);
          this.#seenByAll = snapshot;
          for (const event of meanwhile) applyToAll(node, parseChange(event));
        },
      )
      .then((position) => {
        this.#exactFrom = position;
        return position;
      });
    this.#opening = work;
    work.catch(() => {
      // The next call that needs the directory tries again.
      if (this.#opening === work) this.#opening = undefined;
    });
    return work;
  }

  async enter(userId: number): Promise<number> {
    for (;;) {
      const base = this.#opening ?? this.open();
      await base;
      if (this.#node.knows(userId)) return this.#exactFrom;
      const under = this.#entering.get(userId) ?? this.#readPerson(userId, base);
      this.#entering.set(userId, under);
      try {
        const position = await under;
        // Otherwise everything was dropped meanwhile, and is read again.
        if (this.#opening === base) return Math.max(position, this.#exactFrom);
      } finally {
        if (this.#entering.get(userId) === under) this.#entering.delete(userId);
      }
    }
  }

  #readPerson(userId: number, base: Promise<number>): Promise<number> {
    const node = this.#node;
    return this.#readings.read(
      () => readPersonNow(this.#database.db, userId, knownIds(userId)),
      (person, snapshot, meanwhile) => {
        if (this.#opening !== base || person === undefined || !person.isActive) return;
        node.putReader(userId, {
          role: person.role as RoleCode,
          groupIds: person.groupIds,
          known: person.known ?? undefined,
          memberships: person.subscriptions.map(({ channelId, isActive, received }) => [
            channelId,
            { isActive, received: parseReceived(received) },
          ]),
        });
        this.#seenBy.set(userId, snapshot);
        for (const event of meanwhile) applyToPerson(node, userId, parseChange(event));
      },
    );
  }

  leave(userId: number): void {
    this.#node.dropReader(userId);
    this.#seenBy.delete(userId);
  }

  apply(event: LoggedEvent): DirectoryChange {
    if (!changesRights(event)) return NO_CHANGE;
    this.#readings.note(event);
    if (this.#seenByAll === undefined) return NO_CHANGE;
    const change = parseChange(event);
    if (!isVisibleIn(this.#seenByAll, event.xid)) applyToAll(this.#node, change);
    const gone = [...goneBy(change, this.#node)];
    const affected = affectedBy(change);
    for (const userId of affected === 'everybody' ? [] : affected) {
      const seen = this.#seenBy.get(userId);
      if (seen !== undefined && !isVisibleIn(seen, event.xid)) {
        applyToPerson(this.#node, userId, change);
      }
    }
    return { affected, gone };
  }
}

const readAll = (database: Database) =>
  database.inTransaction(
    async (tx) => ({
      moment: await readMoment(tx),
      found: { nesting: await listNesting(tx), channels: await listChannelRights(tx) },
    }),
    { isolation: 'repeatable read' },
  );
