// Lookups for operators: their commands, and what they may name.
import type { MarketConfig } from '@rialto/matching';
import { accessPerson } from '../../accounts/operators/access.ts';
import { findAccountId } from '../../accounts/trading-keys/access.ts';
import type { Db } from '../../platform/db/pool.ts';
import { decodeCommand } from '../engine/command.ts';
import type { CommandRow } from './command-row.ts';
import { noSuchAccount, noSuchCommand, noSuchMarket } from './errors.ts';
import { findCommand, findMarketCommand } from './store.ts';

export { describeAccount } from './account-lookup.ts';
export {
  findMarker,
  insertCustodyCommands,
  insertHaltCommand,
  insertFeeCommand,
  insertTransferCommand,
  listMarketRows,
  listOpenCommands,
  listTradingMarkets,
  listUnaudited,
} from './store.ts';

export async function getCommand(db: Db, id: bigint): Promise<CommandRow> {
  const row = await findCommand(db, id);
  if (row === undefined) throw noSuchCommand(id);
  return row;
}

/** The configuration that a market has, or will have after the waiting commands. */
export async function getMarketConfig(db: Db, symbol: string): Promise<MarketConfig> {
  const text = await findMarketCommand(db, symbol);
  if (text === undefined) throw noSuchMarket(symbol);
  const command = decodeCommand(text, 0);
  if (command.type !== 'create_market' && command.type !== 'configure_market') {
    throw noSuchMarket(symbol);
  }
  return command.config;
}

const ACCOUNT_NUMBER = /^[1-9][0-9]{0,15}$/;

/** An account by its number, or by the address of its owner. */
export async function accessAccount(db: Db, text: string): Promise<number> {
  const id = ACCOUNT_NUMBER.test(text)
    ? await findAccountId(db, { accountId: BigInt(text) })
    : await accountOf(db, text);
  if (id === undefined) throw noSuchAccount(text);
  return Number(id);
}

async function accountOf(db: Db, email: string): Promise<bigint | undefined> {
  return findAccountId(db, { userId: (await accessPerson(db, email)).id });
}
