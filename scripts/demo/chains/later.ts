// Lets a day pass for what waits a day in `demo --chains`: new entries of address books, and frozen withdrawals.
// It takes the owner of the database and the master key together: neither the server nor a thief of the database can do it.
import { connectOnce } from '../../../server/src/ops/database.ts';
import { createOperatorContext } from '../../../server/src/ops/operator.ts';
import { CommandError } from '../../../server/src/ops/trouble.ts';
import { loadConfig } from '../../../server/src/platform/config/load.ts';
import { proveEntry } from '../../../server/src/trading/custody/address-book/entry.ts';

const DAY_MS = 24 * 3600 * 1000;

/** `environment` as the demo printed it. */
export async function passADay(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { DEMO_DATABASE_OWNER: owner } = environment;
  if (owner === undefined) {
    throw new CommandError(
      'DEMO_DATABASE_OWNER is not set. Paste the lines that the demo printed first.',
    );
  }
  const ctx = await createOperatorContext(loadConfig(environment));
  const client = await connectOnce(owner, 'DEMO_DATABASE_OWNER');
  try {
    const entries = await ctx.db.selectFrom('withdrawAddresses').selectAll().execute();
    for (const entry of entries) {
      const usableAt = new Date(entry.usableAt.getTime() - DAY_MS);
      const proof = proveEntry(ctx.secrets, { ...entry, usableAt });
      await client.query('UPDATE withdraw_addresses SET usable_at = $2, proof = $3 WHERE id = $1', [
        entry.id,
        usableAt,
        proof,
      ]);
    }
    await client.query(
      `UPDATE trading_accounts SET withdraw_freeze_until = withdraw_freeze_until - interval '1 day'
        WHERE withdraw_freeze_until IS NOT NULL`,
    );
  } finally {
    await client.end();
    await ctx.close();
  }
}
