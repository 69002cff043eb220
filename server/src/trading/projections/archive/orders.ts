// Reads archived orders by their ids. The section by order has each id in one block; but the orders that one account placed on a
// day may lie in many such blocks, and together in few of the section by account.
import { ORDERS_NAME, type Place } from '../../order-tables.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { isOrderAmong, keyOfNumber, toJsonArray, type Block } from './format.ts';
import { newBudget, readForReader, type History } from './read.ts';
import {
  BLOCKS_AT_ONCE,
  listArchives,
  listBlocksOf,
  listBlocksOfKeys,
  type Archive,
} from './store.ts';

const DAY = BigInt(DAY_MS);

export interface OrdersWanted {
  readonly places: readonly Place[];
  /** Only orders of this account are wanted. */
  readonly accountId?: bigint | undefined;
}

export interface ArchivedOrders {
  /** Their rows as a JSON array. Orders that do not exist have none. */
  readonly archived: string;
  /** Those whose days are in files. */
  readonly places: readonly Place[];
}

/** Every block is checked before a row of it is shown; a file that is damaged or missing refuses the request. */
export async function readArchivedOrders(
  history: History,
  { places, accountId }: OrdersWanted,
): Promise<ArchivedOrders> {
  const idsOfDays = new Map<bigint, bigint[]>();
  for (const { orderId, dayMs } of places) {
    idsOfDays.set(dayMs, [...(idsOfDays.get(dayMs) ?? []), orderId]);
  }
  const days = [...idsOfDays.keys()].sort((a, b) => Number(a - b));
  const [first = 0n, last = 0n] = [days[0], days.at(-1)];
  const archives = await listArchives(history.db, ORDERS_NAME, { fromMs: first, toMs: last + DAY });
  const budget = newBudget();
  const lines: string[] = [];
  for (const archive of archives) {
    const ids = idsOfDays.get(archive.dayMs);
    if (ids === undefined) continue;
    const fits = isOrderAmong(new Set(ids.map(String)));
    for (const block of await chooseBlocks(history, archive, ids, accountId)) {
      lines.push(...(await readForReader(history, archive, block, budget)).filter(fits));
    }
  }
  const inFiles = new Set(archives.map(({ dayMs }) => dayMs));
  return {
    archived: toJsonArray(lines),
    places: places.filter(({ dayMs }) => inFiles.has(dayMs)),
  };
}

async function chooseBlocks(
  { db }: History,
  { archiveId, dayMs }: Archive,
  ids: readonly bigint[],
  accountId: bigint | undefined,
): Promise<Block[]> {
  const ofIds = await listBlocksOfKeys(db, archiveId, 'order', ids.map(keyOfNumber));
  if (accountId === undefined || ofIds.length < 2) return ofIds;
  const ofAccount = await listBlocksOf(db, archiveId, {
    section: 'account',
    key: keyOfNumber(accountId),
    sort: 'asc',
    after: undefined,
    fromMs: dayMs,
    toMs: dayMs + DAY,
  });
  // There may be more blocks than are listed at once, and then more than these.
  return ofAccount.length < Math.min(ofIds.length, BLOCKS_AT_ONCE) ? ofAccount : ofIds;
}
