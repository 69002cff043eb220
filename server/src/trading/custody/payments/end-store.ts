import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** Whether a version of the payment was ever signed, as far as we know. */
export async function hasBytes(db: Db, paymentId: bigint): Promise<boolean> {
  const { rows } = await sql`SELECT FROM custody_attempts
    WHERE payment_id = ${paymentId} AND raw IS NOT NULL LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Whether no later payment of the same sender waits for its number. Payments without a number never have one. */
export async function isLastOfSender(db: Db, paymentId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM custody_payments p JOIN custody_payments later
        ON later.network = p.network AND later.sender = p.sender AND later.nonce > p.nonce
     WHERE p.payment_id = ${paymentId} LIMIT 1`.execute(db);
  return rows.length === 0;
}

/** What it would have spent can be spent by others. */
export async function freeCoins(tx: Db, paymentId: bigint): Promise<void> {
  await sql`UPDATE custody_utxos SET payment_id = NULL WHERE payment_id = ${paymentId}`.execute(tx);
}

/** The number of a payment that was never signed is given out again. */
export async function freeNonce(tx: Db, network: string, nonce: bigint): Promise<void> {
  await sql`UPDATE custody_wallets SET next_nonce = ${nonce}
             WHERE network = ${network} AND next_nonce = ${nonce + 1n}`.execute(tx);
}

/** What came to an address is counted again as not fetched. */
export async function forgetSwept(tx: Db, network: string, address: string): Promise<void> {
  await sql`UPDATE custody_swept SET through = 0
             WHERE network = ${network} AND address = ${address}`.execute(tx);
}

/** Payments that two operators have decided to void, and which have no such version yet. */
export async function listVoidable(db: Db, network: string, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ paymentId: bigint }>`
    SELECT p.payment_id FROM custody_payments p
     WHERE p.network = ${network} AND p.state <> 'done'
       AND (SELECT count(*) FROM custody_decisions d WHERE d.payment_id = p.payment_id AND d.way = 'void') >= 2
       AND NOT EXISTS (SELECT FROM custody_attempts a
                        WHERE a.payment_id = p.payment_id AND (a.purpose = 'void' OR a.height IS NOT NULL))
     ORDER BY p.payment_id LIMIT ${limit}`.execute(db);
  return rows.map(({ paymentId }) => paymentId);
}

export interface SpentCoin {
  readonly txid: string;
  readonly vout: number;
  readonly branch: number;
  readonly index: number;
  readonly units: bigint;
}

export async function listSpent(db: Db, paymentId: bigint): Promise<SpentCoin[]> {
  const { rows } = await sql<Omit<SpentCoin, 'units'> & { units: string }>`
    SELECT txid, vout, branch, index, units::text AS units FROM custody_utxos
     WHERE payment_id = ${paymentId} ORDER BY txid, vout`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export interface Child {
  readonly paymentId: bigint;
  readonly fee: bigint;
}

/** Payments that pay for this one, by spending its change before a block has it. */
export async function listChildren(db: Db, paymentId: bigint): Promise<Child[]> {
  const { rows } = await sql<{ paymentId: bigint; fee: string }>`
    SELECT child.payment_id, max(version.fee)::text AS fee FROM custody_attempts parent
      JOIN custody_utxos u ON u.network = parent.network AND u.txid = parent.txid
      JOIN custody_payments child
        ON child.payment_id = u.payment_id AND child.kind = 'child' AND child.state <> 'done'
      JOIN custody_attempts version ON version.payment_id = child.payment_id
     WHERE parent.payment_id = ${paymentId}
     GROUP BY child.payment_id ORDER BY child.payment_id`.execute(db);
  return rows.map((row) => ({ ...row, fee: BigInt(row.fee) }));
}
