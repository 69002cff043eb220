// Journals recorded with each version of the core and kept for ever: every later release must
// replay them bit for bit. `scripts/golden/record.ts` writes them, `golden.test.ts` replays them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import {
  CORE_VERSION,
  findDepth,
  listBalances,
  listMarkets,
  listOpenOrders,
  listVenueBalances,
  type CoreConfig,
  type State,
} from '@rialto/matching';
import { firstConfig } from '../../trading/engine/recover.ts';
import type { JournalRow } from '../../trading/engine/store.ts';

const ROOT = fileURLToPath(new URL('../../../../contracts/journals', import.meta.url));
const MANIFEST = 'manifest.json';

/** A journal as the manifest of its version names it. */
export interface GoldenHead {
  readonly name: string;
  readonly shard: number;
  /** Smaller steps than an engine's, so that even a short journal holds sweeps in many steps. */
  readonly sweepStep?: number;
  readonly rows: number;
  readonly commands: number;
  /** The digest of the last row, in hexadecimal. */
  readonly digest: string;
  /** SHA-256 of the last state's snapshot in the form that its own version wrote. */
  readonly stateHash: string;
  readonly snapshots: readonly GoldenSnapshot[];
}

export interface GoldenSnapshot {
  readonly seq: number;
  readonly sha256: string;
}

export interface GoldenJournal extends GoldenHead {
  readonly version: number;
}

export interface GoldenRow extends JournalRow {
  readonly coreVersion: number;
}

/** What the recorder produces. */
export interface Recording {
  readonly head: GoldenHead;
  readonly rows: readonly GoldenRow[];
  readonly snapshots: ReadonlyMap<number, Uint8Array>;
  readonly summary: unknown;
}

/** How a golden journal begins: like any journal, except for the size of its steps. */
export const goldenConfig = ({
  shard,
  sweepStep,
}: Pick<GoldenHead, 'shard' | 'sweepStep'>): CoreConfig => ({
  ...firstConfig(shard),
  ...(sweepStep !== undefined && { sweepStep }),
});

const folderOf = (version: number): string => join(ROOT, `core-${version}`);

export const isRecorded = (version: number): boolean => existsSync(folderOf(version));

/** Every recorded journal, the oldest version first. */
export function listGolden(): GoldenJournal[] {
  return readdirSync(ROOT)
    .flatMap((name) => /^core-(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((version) => {
      const text = readFileSync(join(folderOf(version), MANIFEST), 'utf8');
      const { journals } = JSON.parse(text) as { journals: GoldenHead[] };
      return journals.map((journal) => ({ ...journal, version }));
    });
}

const unpack = (version: number, file: string): Buffer =>
  brotliDecompressSync(readFileSync(join(folderOf(version), file)));

export function readGoldenRows({ version, name }: GoldenJournal): GoldenRow[] {
  const lines = unpack(version, `${name}.rows.jsonl.br`).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const row = JSON.parse(line) as Omit<GoldenRow, 'digest'> & { digest: string };
    return { ...row, digest: Buffer.from(row.digest, 'hex') };
  });
}

export const readGoldenSnapshot = ({ version, name }: GoldenJournal, seq: number): Buffer =>
  unpack(version, `${name}.${seq}.snapshot.br`);

export const readGoldenSummary = ({ version, name }: GoldenJournal): unknown =>
  JSON.parse(unpack(version, `${name}.summary.json.br`).toString('utf8'));

/** The journal of this release's core in which most happened: in some, markets are closed most of the time. */
export function getBusiestGolden(): GoldenJournal {
  const eventsOf = (journal: GoldenJournal): number =>
    (readGoldenSummary(journal) as { engineSeq: number }).engineSeq;
  const [busiest] = listGolden()
    .filter(({ version }) => version === CORE_VERSION)
    .map((journal) => ({ journal, events: eventsOf(journal) }))
    .sort((a, b) => b.events - a.events);
  if (busiest === undefined) throw new Error('The newest core has a journal.');
  return busiest.journal;
}

/** Writes the journals of a version. The folder must be new: recordings are never overwritten. */
export function writeGolden(version: number, recordings: readonly Recording[]): number {
  const folder = folderOf(version);
  mkdirSync(folder, { recursive: false });
  let written = 0;
  const pack = (file: string, bytes: Uint8Array | string): void => {
    const packed = brotliCompressSync(bytes);
    written += packed.length;
    writeFileSync(join(folder, file), packed);
  };
  for (const { head, rows, snapshots, summary } of recordings) {
    const lines = rows.map((row) => JSON.stringify({ ...row, digest: row.digest.toString('hex') }));
    pack(`${head.name}.rows.jsonl.br`, `${lines.join('\n')}\n`);
    for (const [seq, bytes] of snapshots) pack(`${head.name}.${seq}.snapshot.br`, bytes);
    pack(`${head.name}.summary.json.br`, JSON.stringify(summary));
  }
  const journals = recordings.map(({ head }) => head);
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify({ version, journals }, undefined, 2)}\n`);
  return written;
}

/**
 * The contents of a state, independent of the snapshot format: money, orders, books and markets.
 * Amounts are texts, so that they can be compared with the recorded JSON.
 */
export function summarize(s: State): unknown {
  const markets = listMarkets(s);
  const summary = {
    engineSeq: s.engineSeq,
    time: s.time,
    accounts: s.accounts.map(({ id, parent, suspended, tier }) => ({
      id,
      parent,
      suspended,
      tier: tier.number,
      balances: listBalances(s, id),
      orders: listOpenOrders(s, id),
    })),
    // A restored state lists coins with zero balances, where another state has no row yet.
    venue: listVenueBalances(s).filter(({ amount }) => amount !== 0n),
    markets,
    depths: markets.map(({ config }) => findDepth(s, config.symbol)),
    withdrawals: [...s.withdrawals.values()],
  };
  return JSON.parse(
    JSON.stringify(summary, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  );
}
