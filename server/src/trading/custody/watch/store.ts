import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';

/** A block by its place in the chain. */
interface StoredBlock {
  readonly height: number;
  readonly hash: string;
}

export interface WatchedNetwork {
  readonly network: string;
  readonly identity: string;
  readonly scanned: StoredBlock;
  readonly tip: StoredBlock;
  /** How long the tip has not changed. */
  readonly silentSeconds: number;
  readonly tipAt: Date;
  /** Paused while the watcher or operators have a reason. */
  readonly status: 'active' | 'paused';
  readonly reason: string;
  /** Why operators have paused it; empty: they have not. */
  readonly heldReason: string;
  /** From here on blocks are read again; null: none. */
  readonly rescanFrom: number | null;
}

interface StoredNetwork {
  readonly network: string;
  readonly identity: string;
  readonly scannedHeight: number;
  readonly scannedHash: string;
  readonly tipHeight: number;
  readonly tipHash: string;
  readonly silentSeconds: number;
  readonly tipAt: Date;
  readonly status: 'active' | 'paused';
  readonly reason: string;
  readonly heldReason: string;
  readonly rescanFrom: number | null;
}

/** What clients read while operators have paused a network, and nothing else is wrong with it. */
const BY_OPERATORS = 'operators';

const COLUMNS = sql`network, identity, scanned_height, scanned_hash, tip_height, tip_hash, tip_at, rescan_from,
  held_reason, CASE WHEN held_reason <> '' THEN 'paused' ELSE status END AS status,
  CASE WHEN reason = '' AND held_reason <> '' THEN ${BY_OPERATORS} ELSE reason END AS reason,
  extract(epoch FROM clock_timestamp() - tip_at)::float8 AS silent_seconds`;

const toWatched = (row: StoredNetwork): WatchedNetwork => ({
  network: row.network,
  identity: row.identity,
  scanned: { height: row.scannedHeight, hash: row.scannedHash },
  tip: { height: row.tipHeight, hash: row.tipHash },
  silentSeconds: row.silentSeconds,
  tipAt: row.tipAt,
  status: row.status,
  reason: row.reason,
  heldReason: row.heldReason,
  rescanFrom: row.rescanFrom,
});

export async function findNetwork(db: Db, network: string): Promise<WatchedNetwork | undefined> {
  const { rows } = await sql<StoredNetwork>`
    SELECT ${COLUMNS} FROM custody_networks WHERE network = ${network}`.execute(db);
  return rows[0] && toWatched(rows[0]);
}

/** All of them, by name; the configuration bounds their number. */
export async function listNetworks(db: Db): Promise<WatchedNetwork[]> {
  const { rows } = await sql<StoredNetwork>`
    SELECT ${COLUMNS} FROM custody_networks ORDER BY network`.execute(db);
  return rows.map(toWatched);
}

/** One of them, held until the end of the transaction. */
export async function lockNetwork(tx: Db, network: string): Promise<WatchedNetwork | undefined> {
  const { rows } = await sql<StoredNetwork>`
    SELECT ${COLUMNS} FROM custody_networks WHERE network = ${network} FOR UPDATE`.execute(tx);
  return rows[0] && toWatched(rows[0]);
}

/** The first sight of a network: what comes after `from` is read. Another process may have been faster. */
export async function insertNetwork(
  tx: Db,
  {
    network,
    identity,
    from,
    tip,
  }: { network: string; identity: string; from: StoredBlock; tip: StoredBlock },
): Promise<void> {
  await sql`
    INSERT INTO custody_networks (network, identity, scanned_height, scanned_hash, tip_height, tip_hash)
    VALUES (${network}, ${identity}, ${from.height}, ${from.hash}, ${tip.height}, ${tip.hash})
    ON CONFLICT (network) DO NOTHING`.execute(tx);
  await sql`INSERT INTO custody_counters (network) VALUES (${network})
            ON CONFLICT (network) DO NOTHING`.execute(tx);
  await insertBlock(tx, network, from);
}

export async function insertBlock(
  tx: Db,
  network: string,
  { height, hash }: StoredBlock,
): Promise<void> {
  await sql`INSERT INTO custody_blocks (network, height, hash) VALUES (${network}, ${height}, ${hash})
            ON CONFLICT (network, height) DO NOTHING`.execute(tx);
}

/** Moves the cursor to a block that is stored. */
export async function moveCursor(
  tx: Db,
  network: string,
  { height, hash }: StoredBlock,
  kept: number,
): Promise<void> {
  await sql`UPDATE custody_networks
               SET scanned_height = ${height}, scanned_hash = ${hash}, updated_at = clock_timestamp()
             WHERE network = ${network}`.execute(tx);
  await sql`DELETE FROM custody_blocks
             WHERE network = ${network} AND (height <= ${height - kept} OR height > ${height})`.execute(
    tx,
  );
}

/** Notes a tip that differs from the one before. */
export async function noteTip(
  db: Db,
  network: string,
  { height, hash }: StoredBlock,
): Promise<void> {
  await sql`UPDATE custody_networks
               SET tip_height = ${height}, tip_hash = ${hash}, tip_at = clock_timestamp()
             WHERE network = ${network} AND tip_hash <> ${hash}`.execute(db);
}

/** Pauses a network with a reason, or lets it run with none. Returns whether that is new. */
export async function updateReason(db: Db, network: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE custody_networks
       SET status = ${reason === '' ? 'active' : 'paused'}, reason = ${reason}, updated_at = clock_timestamp()
     WHERE network = ${network} AND reason <> ${reason} RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Operators pause a network, or let it run with an empty reason. */
export async function updateHeld(tx: Db, network: string, reason: string): Promise<void> {
  await sql`UPDATE custody_networks SET held_reason = ${reason}, updated_at = clock_timestamp()
             WHERE network = ${network}`.execute(tx);
}

export async function updateRescan(tx: Db, network: string, from: number | null): Promise<void> {
  await sql`UPDATE custody_networks SET rescan_from = ${from}, updated_at = clock_timestamp()
             WHERE network = ${network}`.execute(tx);
}

export async function findBlock(
  db: Db,
  network: string,
  height: number,
): Promise<StoredBlock | undefined> {
  return db
    .selectFrom('custodyBlocks')
    .select(['height', 'hash'])
    .where('network', '=', network)
    .where('height', '=', height)
    .executeTakeFirst();
}

/** The kept blocks below a height, the newest first. */
export async function listBlocks(
  db: Db,
  network: string,
  upTo: number,
  limit: number,
): Promise<StoredBlock[]> {
  return db
    .selectFrom('custodyBlocks')
    .select(['height', 'hash'])
    .where('network', '=', network)
    .where('height', '<=', upTo)
    .orderBy('height', 'desc')
    .limit(limit)
    .execute();
}
