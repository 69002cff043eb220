// The kind of money a venue's database deals in. It is stored at the first start, and never changes: a wrong
// setting must not mix real money with simulated money.
import type { Config } from './config/schema.ts';
import type { Db } from './db/pool.ts';

export type Money = Config['MONEY'];

/** The database belongs to a venue with the other kind of money. */
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

/** For read-only callers: the stored kind, if any, must be the given one. */
export async function checkMoney(db: Db, given: Money): Promise<void> {
  const written = await findMoney(db);
  if (written !== undefined && written !== given) throw new OtherMoneyError(written, given);
}

/** Stores it if it is not set; from then on it has to be the same. */
export async function bindMoney(db: Db, given: Money): Promise<void> {
  await db
    .insertInto('venue')
    .values({ money: given })
    .onConflict((on) => on.doNothing())
    .execute();
  await checkMoney(db, given);
}
