// After the run: replays the journal from its first row and compares it with what clients were
// told, the newest snapshot, the live engine, the event log and the projections.
import { createHash } from 'node:crypto';
import {
  audit,
  findOrder,
  listBalances,
  listVenueBalances,
  stateHash,
  type OrderStatus,
  type Outcome,
  type Result,
} from '@rialto/matching';
import type { Engine } from '../../server/src/trading/engine/door.ts';
import { Machine } from '../../server/src/trading/engine/machine.ts';
import { unpackOutcomes, type PackedOutcomes } from '../../server/src/trading/engine/outcomes.ts';
import { listOpenHalts } from '../../server/src/trading/halts/access.ts';
import { firstConfig, recover } from '../../server/src/trading/engine/recover.ts';
import { listSnapshots } from '../../server/src/trading/engine/snapshot-store.ts';
import { Archive } from '../../server/src/trading/engine/journal/archive.ts';
import { readJournal } from '../../server/src/trading/engine/journal/rows.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { checkMovements, checkRows, movementsOf } from './audit-movements.ts';
import { ListWatch, listKey, type ListCounts } from './audit-lists.ts';
import { checkSweeps, type SweepCounts } from './audit-sweeps.ts';
import type { Broken, History } from './findings.ts';
import type { Sweep } from './sweeps.ts';
import { until } from './until.ts';
import { compareProjections } from './projections.ts';
import {
  describeOrder,
  describeOrders,
  keyOf,
  orderIdOf,
  type Asked,
  type Records,
} from './records.ts';

export interface Findings {
  readonly journalRows: number;
  readonly broken: Broken;
  readonly sweeps: SweepCounts;
  readonly lists: ListCounts;
  /** Auctions that ended with trades. */
  readonly auctions: number;
}

const SHARD = 0;
const PAGE = 64;

export interface AuditOptions {
  readonly ctx: Context;
  readonly engine: Engine;
  readonly records: Records;
  readonly sweeps?: readonly Sweep[];
  say(line: string): void;
}

/** Checks everything; for a deployment with a relay and a worker that has written a snapshot. */
export async function auditAll(options: AuditOptions): Promise<Findings> {
  const { ctx, say } = options;
  const { history, broken } = await auditJournal(options);
  const { machine } = history;
  const client = await ctx.database.pool.connect();
  try {
    const snapshots = await listSnapshots(client, SHARD);
    const recovered = await recover(client, firstConfig(SHARD), ctx.log);
    if (snapshots.length === 0) broken.conserved.push('no snapshot was ever written');
    if (!recovered.digest.equals(machine.digest)) {
      broken.conserved.push('the newest snapshot and the first row lead to different digests');
    }
    if (stateHash(recovered.state) !== stateHash(machine.state)) {
      broken.conserved.push('the newest snapshot and the first row lead to different states');
    }
    for (const line of audit(recovered.state)) broken.conserved.push(`from the snapshot: ${line}`);
    say(`${snapshots.length} snapshots, the newest after row ${snapshots[0]?.seq ?? 0}`);
  } finally {
    client.release();
  }
  await checkEvents(ctx, history.tapes, broken.conserved);
  await compareProjections(ctx, history, broken.projections);
  await checkRows(ctx, broken);
  const sweeps = checkSweeps(history, options.sweeps ?? [], broken.swept);
  // The auditor ran all the time, and must have had no reason to stop a market.
  for (const { symbol, rule, subject } of await listOpenHalts(ctx.db)) {
    broken.conserved.push(`${symbol} was stopped: ${rule} (${subject})`);
  }
  const { rows: journalRows, lists, auctions } = history;
  return { journalRows, broken, sweeps, lists, auctions };
}

/** Compares the journal with what clients were told, and with the live engine. */
export async function auditJournal({
  ctx,
  engine,
  records,
  say,
}: AuditOptions): Promise<{ history: History; broken: Broken }> {
  const broken: Broken = {
    lost: [],
    doubled: [],
    conserved: [],
    honest: [],
    swept: [],
    projections: [],
  };
  const history = await replayFromGenesis(ctx, records, broken);
  const { machine } = history;
  checkRecords(machine, records, history, broken);
  checkMoney(machine, broken.conserved);
  checkMovements(records, history, broken);
  say(`${history.rows} journal rows of ${history.epochs} epochs replayed from the first`);

  await checkLiveEngine(engine, machine, broken.conserved);
  return { history, broken };
}

async function replayFromGenesis(ctx: Context, records: Records, broken: Broken): Promise<History> {
  const machine = Machine.empty(firstConfig(SHARD));
  const done = new Map<string, string>();
  const tapes: string[] = [''];
  const epochs = new Set<number>();
  const ends = new Map<number, number>();
  const movements = new Map<string, string>();
  let lastEpoch = 0;
  let trades = 0;
  let auctions = 0;
  const lists = new ListWatch(broken.doubled);
  const archive = new Archive(ctx.files);
  for (;;) {
    const page = { shard: SHARD, seq: machine.seq, limit: PAGE };
    const rows = await readJournal(ctx.database.pool, page, archive);
    for (const row of rows) {
      if (row.epoch < lastEpoch) {
        broken.conserved.push(`row ${row.seq} is of epoch ${row.epoch}, after ${lastEpoch}`);
      }
      lastEpoch = row.epoch;
      epochs.add(row.epoch);
      // Throws when the row's digest does not match its commands.
      machine.replay(row);
      const text = `{${machine.packReplayed()}}`;
      tapes.push(hash((JSON.parse(text) as PackedOutcomes).tape));
      const outcomes = unpackOutcomes(text);
      const lines = row.commands.split('\n');
      for (const [index, outcome] of outcomes.entries()) {
        for (const step of outcome.steps) {
          trades += step.trades.length;
          auctions += step.uncrosses.filter(({ lots }) => lots > 0).length;
          lists.take(step);
          for (const { orderId, status } of step.orders) {
            if (!isEnd(status)) continue;
            if (ends.has(orderId)) broken.doubled.push(`order ${orderId} ends again in ${row.seq}`);
            ends.set(orderId, row.epoch);
          }
          for (const [cause, line] of movementsOf(step)) {
            if (movements.has(cause)) broken.doubled.push(`${cause} moves again in row ${row.seq}`);
            movements.set(cause, line);
          }
        }
        for (const [key, said] of effectsOf(lines[index] ?? '', outcome)) {
          if (done.has(key)) broken.doubled.push(`${key} in row ${row.seq}`);
          else done.set(key, said);
          if (/^(place|list)/.test(key) && records.find(key) === undefined) {
            broken.honest.push(`nobody asked for ${key}, which is in row ${row.seq}`);
          }
        }
      }
    }
    if (rows.length < PAGE) break;
  }
  return {
    machine,
    done,
    ends,
    movements,
    tapes,
    trades,
    auctions,
    lists: lists.counts,
    rows: machine.seq,
    epochs: epochs.size,
  };
}

const isEnd = (status: OrderStatus): boolean =>
  status !== 'pending' && status !== 'open' && status !== 'partially_filled';

const hash = (text: string): string => createHash('sha256').update(text, 'base64').digest('hex');

/**
 * What the command changed for the first and only time, by the key under which it was requested.
 */
function effectsOf(line: string, { result }: Outcome): [key: string, said: string][] {
  const one = (item: Result): [string, string][] => {
    switch (item.kind) {
      case 'placed':
        if (item.replay) return [];
        return [
          [keyOf.place(item.order.account, item.order.clientOrderId), describeOrder(item.order)],
        ];
      case 'listed':
        return item.replay ? [] : [[listKey(item.orders), describeOrders(item.orders)]];
      case 'canceled':
        return [[keyOf.cancel(item.order.account, item.order.orderId), describeOrder(item.order)]];
      case 'batch':
        return item.items.flatMap(one);
      case 'moved':
        return item.replay ? [] : movementOf(line);
      case 'done':
        return movementOf(line);
      default:
        return [];
    }
  };
  return one(result);
}

function movementOf(line: string): [string, string][] {
  const command = JSON.parse(line.slice(line.indexOf(' ') + 1)) as Record<string, string>;
  switch (command['type']) {
    case 'transfer':
      return [[keyOf.transfer(command['transferId'] ?? ''), '']];
    case 'credit_deposit':
      return [[keyOf.deposit(command['depositId'] ?? ''), '']];
    case 'request_withdrawal':
      return [[keyOf.withdrawal(command['withdrawalId'] ?? ''), '']];
    case 'adjust':
      return [[keyOf.adjustment(command['adjustmentId'] ?? ''), '']];
    case 'reverse_deposit':
      return [[keyOf.reversal(command['depositId'] ?? '', Number(command['part'])), '']];
    case 'book_chain_cost':
      return [[keyOf.chainCost(command['costId'] ?? ''), '']];
    case 'settle_withdrawal':
    case 'cancel_withdrawal':
      return [[keyOf.settlement(command['withdrawalId'] ?? ''), '']];
    default:
      return [];
  }
}

function checkRecords(
  machine: Machine,
  records: Records,
  { done }: History,
  { lost, honest }: Broken,
): void {
  for (const asked of records.all()) {
    const { key, answers } = asked;
    const said = done.get(key);
    const isKnown = answers.every(({ kind }) => kind !== 'unknown');
    if (said === undefined) {
      const ack = answers.find(({ kind }) => kind === 'done');
      if (ack !== undefined) lost.push(`${key} was acknowledged and is not in the journal`);
      continue;
    }
    const acks = answers.flatMap((answer) => (answer.kind === 'done' ? [answer] : []));
    if (acks.length === 0 && isKnown) {
      honest.push(`${key} was answered as not done, and is in the journal: ${describe(asked)}`);
    }
    for (const ack of acks) {
      if (ack.said === '') continue;
      if (orderIdOf(ack.said) !== orderIdOf(said)) {
        lost.push(`${key} was answered as order ${ack.said}, the journal has ${said}`);
      } else if (!ack.isReplay && ack.said !== said) {
        lost.push(`${key} was answered as "${ack.said}", the journal has "${said}"`);
      }
    }
    if (acks.length > 0) checkFinal(machine, asked, said, lost);
  }
}

const describe = ({ answers }: Asked): string =>
  answers.map((answer) => ('why' in answer ? answer.why : answer.kind)).join(', ');

/**
 * The engine still knows the orders at the end, and nothing happened to an order after its
 * cancellation.
 */
function checkFinal(machine: Machine, { key, command }: Asked, said: string, lost: string[]): void {
  if (command.type !== 'place' && command.type !== 'cancel') return;
  const order = findOrder(machine.state, command.account, { orderId: orderIdOf(said) });
  if (order === undefined) {
    lost.push(`${key}: the engine does not know its order at the end`);
    return;
  }
  if (command.type === 'cancel') {
    if (describeOrder(order) !== said) {
      lost.push(`${key}: canceled as "${said}", and at the end it is "${describeOrder(order)}"`);
    }
    return;
  }
  const { side, price = 0, volume = 0, clientOrderId } = command.order;
  if (
    order.side !== side ||
    order.price !== price ||
    order.volume !== volume ||
    order.clientOrderId !== clientOrderId
  ) {
    lost.push(`${key}: its order has other terms: ${describeOrder(order)}`);
  }
}

/**
 * Per coin, all balances add up to zero, custody included; computed here and by the core itself.
 */
function checkMoney({ state }: Machine, broken: string[]): void {
  const sums = new Map<string, bigint>();
  const add = (coin: string, amount: bigint) => sums.set(coin, (sums.get(coin) ?? 0n) + amount);
  for (const { id } of state.accounts) {
    for (const { coin, available, hold, pendingWithdraw } of listBalances(state, id)) {
      if (available < 0n || hold < 0n || pendingWithdraw < 0n) {
        broken.push(`account ${id} has less than nothing of ${coin}`);
      }
      add(coin, available + hold + pendingWithdraw);
    }
  }
  for (const { coin, amount } of listVenueBalances(state)) add(coin, amount);
  for (const [coin, sum] of sums) if (sum !== 0n) broken.push(`${coin} adds up to ${sum}`);
  if (sums.size === 0) broken.push('there is no money at all, so nothing was checked');
  broken.push(...audit(state));
}

async function checkLiveEngine(engine: Engine, machine: Machine, broken: string[]): Promise<void> {
  const head = await until('the engine answers reads', () => engine.read('head', {}));
  if (head.seq !== machine.seq || head.engineSeq !== machine.state.engineSeq) {
    broken.push(
      `the live engine is at row ${head.seq}, event ${head.engineSeq}; ` +
        `the journal at ${machine.seq}, ${machine.state.engineSeq}`,
    );
  }
  for (const { id } of machine.state.accounts) {
    const live = await engine.read('balances', { account: id });
    if (text(live) !== text(listBalances(machine.state, id))) {
      broken.push(`the live engine has other balances for account ${id} than the journal`);
    }
  }
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

/**
 * Every row of the journal has its event, in order, with the same outcomes, and there are no other
 * events.
 */
export async function checkEvents(
  ctx: Context,
  tapes: readonly string[],
  broken: string[],
): Promise<void> {
  const { pool } = ctx.database;
  await until('the outbox is empty', async () => {
    const { rows } = await pool.query('SELECT FROM outbox LIMIT 1');
    return rows.length === 0 ? true : undefined;
  });
  let position = 0n;
  let seq = 0;
  let parts: string[] = [];
  for (;;) {
    const { rows } = await pool.query<{ position: bigint; payload: string }>(
      `SELECT position, payload FROM event_log
        WHERE type = 'trading_batch' AND position > $1 ORDER BY position LIMIT 200`,
      [position],
    );
    for (const row of rows) {
      position = row.position;
      const event = JSON.parse(row.payload) as PackedOutcomes & {
        seq: number;
        part: number;
        parts: number;
      };
      if (event.part === 0) seq += 1;
      if (event.seq !== seq || event.part !== parts.length) {
        broken.push(`event ${position} is of row ${event.seq}, expected was row ${seq}`);
        return;
      }
      parts.push(event.tape);
      if (parts.length < event.parts) continue;
      const bytes = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
      if (createHash('sha256').update(bytes).digest('hex') !== tapes[seq]) {
        broken.push(`the event of row ${seq} tells something else than the row`);
      }
      parts = [];
    }
    if (rows.length === 0) break;
  }
  if (seq !== tapes.length - 1) {
    broken.push(`${tapes.length - 1} rows are in the journal, ${seq} in the event log`);
  }
}
