// Counts the private pushes of each account, and notes where in the log they are. The rows are written in the turn's
// transaction, so the numbers follow the checkpoint exactly.
import type { Outcome } from '@rialto/matching';
import { tallyPart } from '../batches/pushes.ts';
import { toArray, type Queryable } from './bulk.ts';

interface Counted {
  count: number;
  /** Of the log, ascending; empty in a replay of the journal, which has no positions. */
  readonly positions: number[];
}

/** Counts for each account, over some rows of the journal. */
export class StreamCounts {
  readonly #counts = new Map<number, Counted>();
  /** Accounts whose money the open row has moved so far. */
  #posted = new Set<number>();

  /** Takes the parts of the rows in their order. */
  addPart(outcomes: readonly Outcome[], position: number | undefined, isLast: boolean): void {
    const tallies = tallyPart(outcomes.flatMap(({ steps }) => steps));
    for (const [account, { count, isPosted }] of tallies) {
      const counted = this.#of(account);
      counted.count += count;
      if (position !== undefined) counted.positions.push(position);
      if (isPosted) this.#posted.add(account);
    }
    if (!isLast) return;
    for (const account of this.#posted) this.#of(account).count += 1;
    this.#posted = new Set();
  }

  #of(account: number): Counted {
    let counted = this.#counts.get(account);
    if (counted === undefined) this.#counts.set(account, (counted = { count: 0, positions: [] }));
    return counted;
  }

  /** With `pages`, also where they are. A replay of the journal writes none, and resuming across it is refused. */
  async write(db: Queryable, { pages }: { readonly pages: boolean }): Promise<void> {
    const rows = [...this.#counts].filter(([, { count }]) => count > 0);
    if (rows.length === 0) return;
    const accounts = toArray('bigint', rows, ([account]) => account);
    const counts = toArray('bigint', rows, ([, { count }]) => count);
    if (!pages) {
      await db.query({ name: 'project stream counts', text: COUNT, values: [accounts, counts] });
      return;
    }
    const positions = toArray('text', rows, ([, one]) => `{${one.positions.join(',')}}`);
    await db.query({
      name: 'project stream pages',
      text: `WITH counted AS (${COUNT} RETURNING account_id, seq)
             INSERT INTO trading_stream_pages (account_id, first_seq, last_seq, positions, at)
             SELECT c.account_id, c.seq - p.count + 1, c.seq, p.positions::bigint[], clock_timestamp()
               FROM counted AS c
               JOIN unnest($1::bigint[], $2::bigint[], $3::text[]) AS p(account_id, count, positions)
              USING (account_id)`,
      values: [accounts, counts, positions],
    });
  }
}

const COUNT = `INSERT INTO trading_stream_counts AS t (account_id, seq)
               SELECT * FROM unnest($1::bigint[], $2::bigint[])
               ON CONFLICT (account_id) DO UPDATE SET seq = t.seq + excluded.seq`;
