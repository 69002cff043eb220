// The victims of an attack: sends orders and messages of ordinary users, within the default limits, and measures how
// long each takes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Trader } from '../../server/src/testing/trader.ts';
import { askFrom, chatCall, type Answer } from './ask.ts';

export interface Victims {
  readonly origin: string;
  readonly traders: readonly Trader[];
  /** Authorization of the sender. */
  readonly senders: readonly string[];
  readonly channelId: number;
}

export interface Times {
  readonly orders: number[];
  readonly sends: number[];
  /** Answers other than success. */
  readonly failures: string[];
}

/** An account may have ten requests a second, and a person two hundred a minute. */
const ORDERS_A_SECOND = 7;
const SENDS_A_SECOND = 2.5;

const PATIENCE = 3;

const ORDER = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '60000.00',
  volume: '0.01',
  timeInForce: 'IOC',
};

/**
 * Runs this long, on a busy machine longer: until there are `samples` of each, but at most three
 * times as long.
 */
export async function measure(victims: Victims, seconds: number, samples = 0): Promise<Times> {
  const { origin, traders, senders, channelId } = victims;
  const times: Times = { orders: [], sends: [], failures: [] };
  const startedMs = performance.now();
  const isOver = () => {
    const passed = (performance.now() - startedMs) / 1000;
    const isEnough = times.orders.length >= samples && times.sends.length >= samples;
    return passed > seconds && (isEnough || passed > PATIENCE * seconds);
  };

  async function time(into: number[], what: string, asked: Promise<Answer>): Promise<void> {
    const sentMs = performance.now();
    try {
      const { status, text } = await asked;
      if (status !== 200) times.failures.push(`${what}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      times.failures.push(`${what}: ${String(error)}`);
    }
    into.push(performance.now() - sentMs);
  }

  /**
   * At a steady pace, one after the other: after a delay it does not catch up, which would exceed
   * the limits.
   */
  async function repeat(everyMs: number, act: () => Promise<void>): Promise<void> {
    let dueMs = performance.now() + Math.random() * everyMs;
    while (!isOver()) {
      await sleep(Math.max(0, dueMs - performance.now()));
      await act();
      dueMs = Math.max(dueMs + everyMs, performance.now());
    }
  }

  await Promise.all([
    ...traders.map((trader, index) => {
      const ask = askFrom(`127.1.0.${index + 1}`, origin);
      return repeat(1000 / ORDERS_A_SECOND, () => {
        const { query, headers } = trader.prepare({ params: ORDER });
        const path = `/v1/private/order/create?${query}`;
        return time(times.orders, 'order', ask(path, { method: 'POST', headers }));
      });
    }),
    ...senders.map((basic, index) => {
      const call = chatCall(askFrom(`127.2.0.${index + 1}`, origin), basic);
      const message = {
        type: 'channel',
        to: channelId,
        topic: 'as usual',
        content: 'good morning',
      };
      return repeat(1000 / SENDS_A_SECOND, () =>
        time(times.sends, 'send', call('POST', '/messages', message)),
      );
    }),
  ]);
  return times;
}
