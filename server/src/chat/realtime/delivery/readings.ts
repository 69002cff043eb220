// Reads rights while the log goes on. The snapshot of a read tells which of the events logged meanwhile it already
// includes; only the others are applied on top.
import { isVisibleIn, type DatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { Moment } from './store.ts';

/** Installs the result, and the events since that the read did not see. */
export type Install<T> = (
  found: T,
  snapshot: DatabaseSnapshot,
  meanwhile: readonly LoggedEvent[],
) => void;

export class Readings {
  /** For each reading under way, what was logged since it began. */
  readonly #underWay = new Set<LoggedEvent[]>();

  /** Reads in one snapshot and installs the result. Gives the position that it is exact from. */
  async read<T>(
    load: () => Promise<{ moment: Moment; found: T }>,
    install: Install<T>,
  ): Promise<number> {
    const meanwhile: LoggedEvent[] = [];
    this.#underWay.add(meanwhile);
    try {
      const { moment, found } = await load();
      install(
        found,
        moment.snapshot,
        meanwhile.filter(({ xid }) => !isVisibleIn(moment.snapshot, xid)),
      );
      return moment.position;
    } finally {
      this.#underWay.delete(meanwhile);
    }
  }

  note(event: LoggedEvent): void {
    for (const meanwhile of this.#underWay) meanwhile.push(event);
  }
}
