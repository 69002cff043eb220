// Deposit addresses of accounts. Each is derived again from the public key before it is shown: a row that somebody
// altered is an alarm, and never a stranger's address.
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Coin, Network } from '../../coins/coin.ts';
import type { TradingContext } from '../../context.ts';
import { refuse } from '../../http/errors.ts';
import type { OwnNetwork } from '../networks.ts';
import { accessPlace, type AskedPlace } from '../place.ts';
import { isGenuine, isProved, type AddressRow } from './address.ts';
import { listAddresses, listOwnAddresses, pageVenueAddresses } from './store.ts';

export interface DepositPlace {
  readonly coin: Coin;
  readonly network: Network;
  readonly own: OwnNetwork;
  /** Whether what comes in now is credited. */
  readonly isActive: boolean;
}

/** Where a coin can be deposited; the default network of the coin when none is named. */
export async function accessDepositPlace(
  ctx: TradingContext,
  asked: AskedPlace,
): Promise<DepositPlace> {
  const { coin, network, own, state } = await accessPlace(ctx, asked);
  if (own === undefined || state === undefined || network.depositStatus === 'disabled') {
    throw refuse(
      'DEPOSIT_NOT_ACTIVE',
      ctx.config.MONEY === 'simulated'
        ? 'Money is simulated here, so nothing can be deposited from a network.'
        : `${coin.symbol} cannot be deposited on the network ${network.NetworkSymbol} now.`,
      { coin: coin.symbol, network: network.NetworkSymbol },
    );
  }
  const isActive = network.depositStatus === 'active' && state.status === 'active';
  return { coin, network, own, isActive };
}

/** The row, if it is as we wrote it. */
export function checkGenuine(ctx: Context, own: OwnNetwork, row: AddressRow): AddressRow {
  if (isAltered(ctx, own, row)) {
    throw refuse('INTERNAL', 'The address cannot be shown. The operators have been told.');
  }
  return row;
}

/** Tells the operators of a row that somebody altered. */
export function isAltered(ctx: Context, own: OwnNetwork, row: AddressRow): boolean {
  if (isGenuine(ctx.secrets, own.ownChain, row)) return false;
  tellAltered(ctx, row);
  return true;
}

function tellAltered(ctx: Context, row: AddressRow): void {
  ctx.metrics.custodyAddressAltered();
  ctx.log.error(
    { network: row.network, addressRow: String(row.id) },
    'A row of custody_addresses is not as it was written. Its address is not shown, and nothing is credited by it. Compare the database with a backup.',
  );
}

const PAGE_ROWS = 1000;

/** Every address of the venue on a network, without those that somebody altered. */
export async function listVenueAddresses(
  ctx: Context,
  db: Db,
  network: string,
): Promise<AddressRow[]> {
  const found: AddressRow[] = [];
  for (let after = 0n; ;) {
    const rows = await pageVenueAddresses(db, network, { after, limit: PAGE_ROWS });
    for (const row of rows) {
      if (isProved(ctx.secrets, row)) found.push(row);
      else tellAltered(ctx, row);
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_ROWS) return found;
  }
}

/**
 * The rows of those addresses that are the venue's. No chain that is followed has memos: an address is one account's,
 * or, without an account, nobody's yet.
 */
export async function matchAddresses(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, AddressRow>> {
  const rows = await listAddresses(db, network, addresses);
  return new Map(rows.map((row) => [row.address, row]));
}

/** Where our keys are among these addresses. */
export async function matchOwnAddresses(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Pick<AddressRow, 'purpose' | 'index'>>> {
  const rows = await listOwnAddresses(db, network, addresses);
  return new Map(rows.map((row) => [row.address, row]));
}
