import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { OwnCoin } from './compose.ts';

export interface Wallet {
  readonly nextChange: number;
  readonly nextNonce: bigint | null;
  readonly signerSeq: bigint;
}

/** Held until the end of the transaction: payments of a network are made one after the other. */
export async function lockWallet(tx: Db, network: string): Promise<Wallet> {
  await sql`INSERT INTO custody_wallets (network) VALUES (${network})
            ON CONFLICT (network) DO NOTHING`.execute(tx);
  return tx
    .selectFrom('custodyWallets')
    .select(['nextChange', 'nextNonce', 'signerSeq'])
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateWallet(
  tx: Db,
  network: string,
  change: { readonly nextChange?: number; readonly nextNonce?: bigint },
): Promise<void> {
  await tx.updateTable('custodyWallets').set(change).where('network', '=', network).execute();
}

/** Operators want everything fetched that has come until now. More than zero, to tell that they ever did. */
export async function askSweep(tx: Db, network: string): Promise<void> {
  await lockWallet(tx, network);
  await sql`UPDATE custody_wallets SET sweep_through =
              (SELECT greatest(max(deposit_id), 1) FROM custody_transfers WHERE network = ${network})
             WHERE network = ${network}`.execute(tx);
}

export async function findSignerSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: string | null }>`
    SELECT max(signer_seq)::text AS seq FROM custody_wallets`.execute(db);
  return Number(rows[0]?.seq ?? 0);
}

export async function noteSignerSeq(tx: Db, network: string, seq: number): Promise<void> {
  await sql`UPDATE custody_wallets SET signer_seq = greatest(signer_seq, ${seq}::bigint)
             WHERE network = ${network}`.execute(tx);
}

/** Coins that can be spent at this height, the oldest first. */
export async function listFreeCoins(
  tx: Db,
  network: string,
  scannedHeight: number,
  limit: number,
): Promise<OwnCoin[]> {
  const { rows } = await sql<Omit<OwnCoin, 'units'> & { units: string }>`
    SELECT txid, vout, branch, index, units::text AS units FROM custody_utxos
     WHERE network = ${network} AND payment_id IS NULL AND ${scannedHeight} - height + 1 >= needed
     ORDER BY height, txid, vout LIMIT ${limit} FOR UPDATE`.execute(tx);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export async function spendCoins(
  tx: Db,
  network: string,
  coins: readonly Pick<OwnCoin, 'txid' | 'vout'>[],
  paymentId: bigint,
): Promise<void> {
  await sql`UPDATE custody_utxos u SET payment_id = ${paymentId}
              FROM unnest(${coins.map(({ txid }) => txid)}::text[], ${coins.map(({ vout }) => vout)}::int[])
                AS c(txid, vout)
             WHERE u.network = ${network} AND u.txid = c.txid AND u.vout = c.vout`.execute(tx);
}

export interface SeenCoin extends OwnCoin {
  readonly needed: number;
}

/** What a block brought to our keys. What is known already gets its block. */
export async function upsertCoins(
  tx: Db,
  network: string,
  height: number,
  coins: readonly SeenCoin[],
): Promise<void> {
  if (coins.length === 0) return;
  await tx
    .insertInto('custodyUtxos')
    .values(
      coins.map(({ units, ...coin }) => ({ ...coin, network, height, units: units.toString() })),
    )
    .onConflict((conflict) => conflict.columns(['network', 'txid', 'vout']).doUpdateSet({ height }))
    .execute();
}

/** Whether a payment spends this output already. */
export async function isSpent(
  tx: Db,
  network: string,
  { txid, vout }: { readonly txid: string; readonly vout: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('custodyUtxos')
    .select('paymentId')
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .executeTakeFirst();
  return row !== undefined && row.paymentId !== null;
}

/** An output of ours that is in no block yet, and which a payment spends. */
export async function insertSpentCoin(
  tx: Db,
  network: string,
  { units, ...coin }: OwnCoin,
  paymentId: bigint,
): Promise<void> {
  await tx
    .insertInto('custodyUtxos')
    .values({ ...coin, network, units: units.toString(), needed: 1, height: null, paymentId })
    .onConflict((conflict) =>
      conflict.columns(['network', 'txid', 'vout']).doUpdateSet({ paymentId }),
    )
    .execute();
}
