// `bench cold`: how long an engine process takes from its start until it is at work, with 100,000 open and a million
// finished orders in its snapshot, beside one whose venue is empty. The difference is what the state costs. Once the
// journal goes on for 100,000 commands after the snapshot, as after a crash; once it ends there, as after an orderly
// stop. The snapshot is made here, and what an engine would have journaled before it is left out.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshot } from '../../packages/matching/src/index.ts';
import { finishOrders, MIXED_MARKET, openOrders } from '../../packages/matching/sim/mixed.ts';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { decodeCommand, encodeCommand } from '../../server/src/trading/engine/command.ts';
import { Machine } from '../../server/src/trading/engine/machine.ts';
import { hashBytes } from '../../server/src/trading/engine/recover.ts';
import {
  readNewestSnapshot,
  writeSnapshot,
} from '../../server/src/trading/engine/snapshot-store.ts';
import { appendRow, readHead } from '../../server/src/trading/engine/store.ts';
import { printTable, type Figure } from '../figure.ts';
import { round } from './stats.ts';

const OPEN = 100_000;
const FINISHED = 1_000_000;
const QUICK_SHARE = 0.1;
const AFTER = 100_000;
const COMMANDS_A_ROW = 4000;
const SHARD = 0;
const GOAL_SECONDS = 2;
const GIVE_UP_MS = 60_000;

interface Start {
  readonly seconds: number;
  readonly process: RialtoProcess;
}

export async function benchCold({ quick }: { quick: boolean }): Promise<Figure[]> {
  const share = quick ? QUICK_SHARE : 1;
  const [open, finished, after] = [OPEN * share, FINISHED * share, AFTER * share];
  const deployment = await startDeployment({ MONEY: 'simulated' });
  const processes: RialtoProcess[] = [];
  try {
    const started = async (): Promise<Start> => {
      const start = await startEngine(deployment);
      processes.push(start.process);
      return start;
    };
    const empty = await started();
    const emptyMb = residentMb(empty.process.pid);
    await empty.process.stop();
    const bytes = await fillJournal(deployment, open, finished, after);
    const crashed = await started();
    await crashed.process.stop();
    const restarted = await started();
    const mb = residentMb(restarted.process.pid);
    await restarted.process.stop();
    const seconds = round(restarted.seconds, 2);
    printTable([
      ['from the start of the process until the engine is at work', 'seconds', 'resident MB'],
      ['an empty venue', String(round(empty.seconds, 2)), String(emptyMb)],
      [
        `${open} open and ${finished} finished orders, and ${after} commands to replay`,
        String(round(crashed.seconds, 2)),
        '',
      ],
      ['the same after an orderly stop', String(seconds), String(mb)],
    ]);
    console.error(
      `The snapshot has ${round(bytes / 1e6)} MB, ${round(bytes / (open + finished))} bytes an order. ` +
        `In memory an order takes ${round(((mb - emptyMb) * 1e6) / (open + finished))} bytes, open ones and tables included.`,
    );
    return [
      {
        figure: 'engine.cold',
        value: seconds,
        bare: round(empty.seconds, 2),
        unit: 's',
        withReplay: round(crashed.seconds, 2),
        snapshotBytes: bytes,
        bytesAnOrder: round(((mb - emptyMb) * 1e6) / (open + finished)),
        goal: GOAL_SECONDS,
        met: seconds <= GOAL_SECONDS,
      },
    ];
  } finally {
    for (const process of processes) process.kill('SIGKILL');
    await deployment.close();
  }
}

/** Starts an engine, and waits until it has written the row with which it takes over. */
async function startEngine({ ctx, environment }: TestDeployment): Promise<Start> {
  const { epoch: before } = await readHead(ctx.database.pool, SHARD);
  const startedMs = performance.now();
  const starting = startRialtoProcess('engine', environment);
  starting.catch(() => {});
  for (;;) {
    const ms = performance.now() - startedMs;
    if ((await readHead(ctx.database.pool, SHARD)).epoch > before) {
      return { seconds: ms / 1000, process: await starting };
    }
    if (ms > GIVE_UP_MS) throw new Error(`No engine was at work within ${GIVE_UP_MS} ms.`);
    await sleep(10);
  }
}

/** Writes a snapshot of a venue with these orders, and a journal that goes on after it. Gives the bytes of the snapshot. */
async function fillJournal(
  { ctx: { database } }: TestDeployment,
  open: number,
  finished: number,
  after: number,
): Promise<number> {
  const { epoch, seq } = await readHead(database.pool, SHARD);
  const state = openOrders(open);
  finishOrders(state, finished);
  const bytes = snapshot(state);
  const digest = hashBytes(bytes);
  const machine = Machine.restore(bytes, SHARD, seq + 1, digest);
  const client = await database.pool.connect();
  try {
    const row = { shard: SHARD, epoch, events: [], operators: [] };
    await appendRow(client, {
      ...row,
      seq: seq + 1,
      commands: '0 {"type":"tick"}',
      commandCount: 1,
      coreVersion: state.rules,
      digest,
      engineSeq: state.engineSeq,
    });
    await writeSnapshot(client, { shard: SHARD, seq: seq + 1, digest, bytes });
    for (let from = 0; from < after; from += COMMANDS_A_ROW) {
      const draft = machine.begin();
      for (let i = from; i < from + COMMANDS_A_ROW; i += 1) {
        const text = placeText(i);
        machine.apply(draft, decodeCommand(text, state.time), text);
      }
      await appendRow(client, { ...machine.seal(draft), ...row });
    }
    return (await readNewestSnapshot(client, SHARD))?.bytes ?? 0;
  } finally {
    client.release();
  }
}

/** Orders in turns of both sides at one price, so that each pair trades. */
const placeText = (index: number): string =>
  encodeCommand({
    type: 'place',
    account: 1 + (index % 64),
    checkpoint: Number.MAX_SAFE_INTEGER,
    order: {
      symbol: MIXED_MARKET.symbol,
      side: index % 2 === 0 ? 'buy' : 'sell',
      type: 'limit',
      price: MIXED_MARKET.listingPriceTicks,
      priceDecimals: MIXED_MARKET.quotePrecision,
      volume: 1000,
      volumeDecimals: MIXED_MARKET.basePrecision,
      clientOrderId: `after-${index}`,
    },
  });

const residentMb = (pid: number): number =>
  round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
