// The events of a transaction so far. Their rows go into the outbox just before COMMIT, so their
// ids are drawn after all row locks of the transaction.
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Audience, EmitOptions, OutgoingEvent } from './event.ts';

interface Emission {
  type: string;
  payload: string;
  audience: string;
  rightsOf: readonly number[];
}

/** One statement has at most 65,535 parameters; a row takes four. */
const INSERT_MAX = 5000;

export class Emissions {
  #collected: Emission[] = [];

  add(event: OutgoingEvent, audience: Audience, { rightsOf = [] }: EmitOptions = {}): void {
    this.#collected.push({
      type: event.type,
      payload: JSON.stringify(event),
      audience: JSON.stringify(audience),
      rightsOf,
    });
  }

  /** For savepoints: drops what was collected after `mark()`. */
  mark(): number {
    return this.#collected.length;
  }

  rollbackTo(mark: number): void {
    this.#collected.length = mark;
  }

  get count(): number {
    return this.#collected.length;
  }

  async flush(db: Db): Promise<void> {
    for (let from = 0; from < this.#collected.length; from += INSERT_MAX) {
      await db
        .insertInto('outbox')
        .values(
          this.#collected
            .slice(from, from + INSERT_MAX)
            .map(({ type, payload, audience, rightsOf }) => ({
              type,
              payload,
              audience: sql`${audience}::jsonb`,
              rightsOf: [...rightsOf],
            })),
        )
        .execute();
    }
  }
}
