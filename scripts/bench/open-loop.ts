// Arrivals that do not wait for answers: each has its scheduled time, and its latency counts from
// there, however late it was sent. Measured this way, a server cannot hide its worst stretches.
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile, round } from './stats.ts';

export interface OpenLoopOptions {
  readonly perSecond: number;
  readonly seconds: number;
  /** At the beginning, not counted in latencies. */
  readonly warmUpSeconds: number;
  /** Sends arrivals from `from` up to, but not including, `until`; calls `settle` for each in the end. */
  send(from: number, until: number, settle: (index: number, isDone: boolean) => void): void;
}

export interface OpenLoopResult {
  readonly offered: number;
  /** Completed per second, from the first arrival to the last answer. */
  readonly perSecond: number;
  readonly done: number;
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** How late the generator itself was, at worst. */
  readonly lateMs: number;
}

const DRAIN_MS = 30_000;

export async function runOpenLoop(options: OpenLoopOptions): Promise<OpenLoopResult> {
  const { perSecond, seconds, warmUpSeconds, send } = options;
  const total = Math.floor(perSecond * seconds);
  const latencies = new Float64Array(total).fill(Number.NaN);
  const startMs = performance.now();
  let sent = 0;
  let done = 0;
  let refused = 0;
  let lastMs = startMs;
  let lateMs = 0;
  const settle = (index: number, isDone: boolean) => {
    const nowMs = performance.now();
    if (isDone) {
      done += 1;
      lastMs = nowMs;
      latencies[index] = nowMs - startMs - (index * 1000) / perSecond;
    } else refused += 1;
  };
  while (sent < total) {
    const elapsedMs = performance.now() - startMs;
    const due = Math.min(total, Math.floor((elapsedMs * perSecond) / 1000) + 1);
    if (due > sent) {
      lateMs = Math.max(lateMs, elapsedMs - (sent * 1000) / perSecond);
      send(sent, due, settle);
      sent = due;
    }
    await sleep(1);
  }
  const deadline = performance.now() + DRAIN_MS;
  while (done + refused < total && performance.now() < deadline) await sleep(5);
  const counted = [...latencies.subarray(Math.floor(perSecond * warmUpSeconds))]
    .filter((ms) => !Number.isNaN(ms))
    .sort((a, b) => a - b);
  const elapsed = Math.max(seconds, (lastMs - startMs) / 1000);
  return {
    offered: perSecond,
    perSecond: round(done / elapsed),
    done,
    refused: total - done,
    p50: round(quantile(counted, 0.5), 2),
    p99: round(quantile(counted, 0.99), 2),
    p999: round(quantile(counted, 0.999), 2),
    lateMs: round(lateMs, 1),
  };
}

export const OPEN_LOOP_HEAD = [
  'offered/s',
  'done/s',
  'refused',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'generator late ms',
] as const;

export const openLoopCells = (result: OpenLoopResult): string[] =>
  [
    result.offered,
    result.perSecond,
    result.refused,
    result.p50,
    result.p99,
    result.p999,
    result.lateMs,
  ].map(String);
