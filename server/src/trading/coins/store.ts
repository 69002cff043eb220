import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import { amountFromNumeric, formatAmount } from '../amount.ts';
import type { Coin, Network, NetworkStatus } from './coin.ts';

/** Every coin with its networks, by symbol; a coin's default network comes first. */
export async function listCoins(db: Db): Promise<Coin[]> {
  const coins = await db
    .selectFrom('coins')
    .select(['symbol', 'nameEn', 'nameFa'])
    .orderBy(sql`symbol COLLATE "C"`)
    .execute();
  const networks = Map.groupBy(await listNetworks(db), ({ coin }) => coin);
  return coins.map((coin) => ({
    ...coin,
    networks: Object.fromEntries(
      (networks.get(coin.symbol) ?? []).map(({ network }) => [network.NetworkSymbol, network]),
    ),
  }));
}

async function listNetworks(db: Db): Promise<{ coin: string; network: Network }[]> {
  const rows = await db
    .selectFrom('coinNetworks')
    .selectAll()
    .orderBy('isDefault', 'desc')
    .orderBy(sql`network COLLATE "C"`)
    .execute();
  const amount = (numeric: string) => formatAmount(amountFromNumeric(numeric));
  return rows.map((row) => ({
    coin: row.coin,
    network: {
      NetworkSymbol: row.network,
      NetworkNameEn: row.networkNameEn,
      NetworkNameFa: row.networkNameFa,
      isDefault: row.isDefault,
      tokenNameOnNetwork: row.tokenName,
      tokenSymbolOnNetwork: row.tokenSymbol,
      addressUrl: row.addressUrl,
      contractAddressUrl: row.contractAddressUrl,
      transactionUrl: row.transactionUrl,
      contractAddress: row.contractAddress,
      memoRequired: row.memoRequired,
      memoRegex: row.memoRegex,
      addressRegex: row.addressRegex,
      tokenDecimal: String(row.tokenDecimal),
      depositFee: amount(row.depositFee),
      withdrawFee: amount(row.withdrawFee),
      // The table's check constraints guarantee the names.
      depositStatus: row.depositStatus as NetworkStatus,
      withdrawStatus: row.withdrawStatus as NetworkStatus,
      minimumDeposit: amount(row.minimumDeposit),
      minimumWithdraw: amount(row.minimumWithdraw),
      DepositConfirmationCount: String(row.depositConfirmations),
      withdrawPrecision: String(row.withdrawPrecision),
    },
  }));
}

/** Overwrites the coin and its networks. */
export async function upsertCoin(tx: Db, { networks, ...coin }: Coin): Promise<void> {
  await tx
    .insertInto('coins')
    .values(coin)
    .onConflict((conflict) =>
      conflict.column('symbol').doUpdateSet({ nameEn: coin.nameEn, nameFa: coin.nameFa }),
    )
    .execute();
  // A coin must never have two default networks, not even between two statements.
  await tx
    .updateTable('coinNetworks')
    .set({ isDefault: false })
    .where('coin', '=', coin.symbol)
    .where('isDefault', '=', true)
    .execute();
  for (const network of Object.values(networks)) await upsertNetwork(tx, coin.symbol, network);
}

/** Nothing of the coin leaves, on any network, until operators say otherwise. */
export async function pauseWithdrawals(tx: Db, coin: string): Promise<void> {
  await tx
    .updateTable('coinNetworks')
    .set({ withdrawStatus: 'paused' })
    .where('coin', '=', coin)
    .where('withdrawStatus', '=', 'active')
    .execute();
}

async function upsertNetwork(tx: Db, coin: string, network: Network): Promise<void> {
  const values = {
    networkNameEn: network.NetworkNameEn,
    networkNameFa: network.NetworkNameFa,
    isDefault: network.isDefault,
    tokenName: network.tokenNameOnNetwork,
    tokenSymbol: network.tokenSymbolOnNetwork,
    addressUrl: network.addressUrl,
    contractAddressUrl: network.contractAddressUrl,
    transactionUrl: network.transactionUrl,
    contractAddress: network.contractAddress,
    memoRequired: network.memoRequired,
    memoRegex: network.memoRegex,
    addressRegex: network.addressRegex,
    tokenDecimal: Number(network.tokenDecimal),
    depositFee: network.depositFee,
    withdrawFee: network.withdrawFee,
    depositStatus: network.depositStatus,
    withdrawStatus: network.withdrawStatus,
    minimumDeposit: network.minimumDeposit,
    minimumWithdraw: network.minimumWithdraw,
    depositConfirmations: Number(network.DepositConfirmationCount),
    withdrawPrecision: Number(network.withdrawPrecision),
  };
  await tx
    .insertInto('coinNetworks')
    .values({ coin, network: network.NetworkSymbol, ...values })
    .onConflict((conflict) => conflict.columns(['coin', 'network']).doUpdateSet(values))
    .execute();
}
