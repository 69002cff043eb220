// A journal in small parts, for tests: some thousand commands of a drawn venue, in as many rows as the test wants.
import type pg from 'pg';
import type { TestContext } from '../context.ts';
import { TestJournal } from './journal.ts';
import { Workload } from '../../../../packages/matching/sim/workload.ts';
import { writeSnapshot } from '../../trading/engine/snapshot-store.ts';

/** Commands that are asked for; some change nothing, and leave nothing. */
const PER_ROW = 3;

/** Makes the parts of an empty journal so small. */
export async function useSmallParts(owner: pg.Pool, rows: number): Promise<void> {
  const { rows: parts } = await owner.query<{ part: string }>(
    'SELECT part::text FROM journal_parts() WHERE past IS NOT NULL',
  );
  await owner.query(
    `UPDATE journal_layout SET least_rows = ${rows}, most_rows = ${rows};
     ALTER TABLE trading_journal DETACH PARTITION trading_journal_rest;
     ${parts.map(({ part }) => `DROP TABLE ${part}`).join(';')};
     ALTER TABLE trading_journal ATTACH PARTITION trading_journal_rest FOR VALUES FROM (1) TO (MAXVALUE)`,
  );
  await owner.query('SELECT ensure_journal_parts(1)');
}

export class JournalInParts {
  readonly #test: TestContext;
  readonly #journal: TestJournal;
  readonly #workload = new Workload(7n);

  constructor(test: TestContext) {
    this.#test = test;
    this.#journal = new TestJournal(test.ctx);
  }

  get machine(): TestJournal['machine'] {
    return this.#journal.machine;
  }

  /** Writes so many rows, and makes parts as the worker does. */
  async write(rows: number): Promise<void> {
    for (let left = rows; left > 0; left -= 1) {
      await this.writeAlone(1);
      if (this.machine.seq % 5 === 0) {
        await this.#test.ctx.database.pool.query('SELECT ensure_journal_parts(10)');
      }
    }
  }

  /** Where no worker is. */
  async writeAlone(rows: number): Promise<void> {
    const until = this.machine.seq + rows;
    while (this.machine.seq < until) {
      for (let n = 0; n < PER_ROW; n += 1) {
        this.#workload.observe(this.#journal.apply(this.#workload.next()));
      }
      await this.#journal.commit();
    }
  }

  async snapshot(): Promise<void> {
    const { seq, digest, shard } = this.machine;
    const bytes = this.machine.snapshot();
    const client = await this.#test.ctx.database.pool.connect();
    try {
      await writeSnapshot(client, { shard, seq, digest, bytes });
    } finally {
      client.release();
    }
  }
}
