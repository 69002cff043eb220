// What belongs to the account. Balances come from the engine, history from the projection.
import { DAY_MS } from '../../platform/std/time.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { VOLUME_DAYS } from '../fees/tier.ts';
import { parsePage, toPage, type PageOf, type PageParams } from '../pages.ts';
import { awaitProjection } from '../projections/access.ts';
import { toLedgerEntry, type LedgerEntry } from './ledger.ts';
import { toBalance, type Balance } from './shapes.ts';
import { listBalanceNotes, listLedger, sumVolume, type LedgerFilter } from './store.ts';

export { listWholeBalances } from './store.ts';

export async function listBalances(
  ctx: TradingContext,
  { account }: PrivateCaller,
  coins: readonly string[],
): Promise<Balance[]> {
  const [held, notes] = await Promise.all([
    ctx.engine.read('balances', { account: Number(account.id) }),
    listBalanceNotes(ctx.db, account.id),
  ]);
  const heldOf = new Map(held.map((balance) => [balance.coin, balance]));
  const noteOf = new Map(notes.map((note) => [note.coin, note]));
  return coins.map((coin) => toBalance(coin, heldOf.get(coin), noteOf.get(coin)));
}

/** What the family of the account traded today and on the 29 days before (UTC). */
export function sumVolume30d(
  ctx: TradingContext,
  nowMs: number,
  family: readonly bigint[],
): Promise<bigint> {
  const today = Math.floor(nowMs / DAY_MS);
  const fromMs = (today - VOLUME_DAYS + 1) * DAY_MS;
  return sumVolume(ctx.db, family, ctx.config.TRADING_VOLUME_COIN, fromMs);
}

export async function pageLedger(
  ctx: TradingContext,
  { account }: PrivateCaller,
  filter: LedgerFilter,
  params: PageParams,
): Promise<PageOf<LedgerEntry>> {
  const name = { list: 'ledger', accountId: account.id, filters: { ...filter } };
  const query = parsePage(ctx.secrets, name, params);
  await awaitProjection(ctx);
  const rows = await listLedger(ctx.db, account.id, filter, query);
  return toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: row.timeMs, id: row.entryId }),
    print: toLedgerEntry,
  });
}
