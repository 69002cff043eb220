// What the venue of a database deals in. It is written down once, at the first start, and never changes: one
// setting that is different for a minute must not mix money that is worth something with money that is not.
import type { Config } from './config/schema.ts';
import type { Db } from './db/pool.ts';

export type Money = Config['MONEY'];

/** The database belongs to a venue that deals in something else. */
export class OtherMoneyError extends Error {
  override name = 'OtherMoneyError';
  constructor(written: string, given: string) {
    super(
      `This database belongs to a venue with ${written} money, and MONEY=${given} was given. What a venue deals ` +
        `in is written down at its first start and never changes. Set MONEY=${written}, or use another database ` +
        `for a venue with ${given} money.`,
    );
  }
}

/** Undefined before the first start. */
export async function findMoney(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('venue').select('money').executeTakeFirst();
  return row?.money;
}

/** For whoever only looks: what is written down, if anything is, must be what was given. */
export async function checkMoney(db: Db, given: Money): Promise<void> {
  const written = await findMoney(db);
  if (written !== undefined && written !== given) throw new OtherMoneyError(written, given);
}

/** Writes it down if nobody has; from then on it has to be the same. */
export async function bindMoney(db: Db, given: Money): Promise<void> {
  await db
    .insertInto('venue')
    .values({ money: given })
    .onConflict((on) => on.doNothing())
    .execute();
  await checkMoney(db, given);
}
