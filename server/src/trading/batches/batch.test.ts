import { listBalances } from '@rialto/matching';
import { expect, it } from 'vitest';
import { decodeCommand } from '../engine/command.ts';
import { Machine } from '../engine/machine.ts';
import { toOrder } from '../orders/order.ts';
import { getBusiestGolden, goldenConfig, readGoldenRows } from '../../testing/trading/golden.ts';
import { Batch, createBatchReader } from './batch.ts';
import { listChanges } from './changes.ts';

/** The events of a recorded journal, written again as the engine writes them, and the state after each. */
function* rewrite(): Generator<{ payload: string; machine: Machine }> {
  const journal = getBusiestGolden();
  const machine = Machine.empty(goldenConfig(journal));
  for (const { commands } of readGoldenRows(journal)) {
    const draft = machine.begin();
    for (const line of commands.split('\n')) {
      const space = line.indexOf(' ');
      const text = line.slice(space + 1);
      machine.apply(draft, decodeCommand(text, Number(line.slice(0, space))), text, {
        always: true,
      });
    }
    for (const payload of machine.seal(draft).events) yield { payload, machine };
  }
}

it('a batch has the whole of every balance that it touched, as the state has it after the batch', () => {
  let count = 0;
  for (const { payload, machine } of rewrite()) {
    const batch = new Batch({ position: 1, payload });
    const touched = new Set<string>();
    for (const { journals } of batch.steps) {
      for (const { owner, coin } of journals.flatMap(({ postings }) => postings)) {
        if (typeof owner === 'number') touched.add(`${owner} ${coin}`);
      }
    }
    const said = batch.balances.map(({ account, coin }) => `${account} ${coin}`);
    expect(said).toHaveLength(new Set(said).size);
    // A trade names both coins of its market for both sides, also one that did not change.
    for (const key of touched) expect(said).toContain(key);
    for (const { account, ...balance } of batch.balances) {
      count += 1;
      expect(listBalances(machine.state, account)).toContainEqual(balance);
    }
  }
  expect(count).toBeGreaterThan(500);
});

it('a batch tells without being decoded whom it concerns, which coins it trades, which phases changed and what was traded', () => {
  let phases = 0;
  let trades = 0;
  for (const { payload } of rewrite()) {
    const batch = new Batch({ position: 1, payload });
    const { accounts } = batch;
    expect(accounts).toHaveLength(new Set(accounts).size);
    for (const step of batch.steps) {
      for (const { account, orders, trades } of listChanges(step)) {
        if (orders.length + trades.length > 0) expect(accounts).toContain(account);
      }
      for (const { owner } of step.journals.flatMap(({ postings }) => postings)) {
        if (typeof owner === 'number') expect(accounts).toContain(owner);
      }
      for (const { symbol, side, feeCurrency } of step.orders.map((order) =>
        toOrder(order, batch.pairOf(order.symbol)),
      )) {
        const { base, quote } = batch.pairOf(symbol);
        expect(symbol).toBe(`${base}${quote}`);
        expect(feeCurrency).toBe(side === 'buy' ? base : quote);
      }
    }
    expect(batch.phases).toEqual(batch.steps.flatMap((step) => step.phases));
    phases += batch.phases.length;
    const told = batch.steps.filter((step) => step.trades.length + step.markets.length > 0);
    trades += told.flatMap((step) => step.trades).length;
    expect(batch.publicSteps).toEqual(
      told.map(({ engineSeq, time, markets, trades: made }) => ({
        engineSeq,
        time,
        markets,
        trades: made.map(({ buyer: _buyer, seller: _seller, rebate: _rebate, ...print }) => print),
      })),
    );
  }
  expect(phases).toBeGreaterThan(5);
  expect(trades).toBeGreaterThan(5);
});

it('each change of an account is told once, and each trade to both of its sides', () => {
  let orders = 0;
  let trades = 0;
  for (const { payload } of rewrite()) {
    const batch = new Batch({ position: 1, payload });
    for (const step of batch.steps) {
      const changes = listChanges(step);
      expect(new Set(changes.map(({ account }) => account)).size).toBe(changes.length);
      for (const change of changes) {
        expect(change.engineSeq).toBe(step.engineSeq);
        for (const order of change.orders) expect(order.account).toBe(change.account);
        for (const { own, isMaker, side, trade } of change.trades) {
          expect(own.account).toBe(change.account);
          expect(isMaker).toBe(side !== trade.takerSide);
        }
      }
      const told = changes.flatMap((change) => change.orders.map(({ orderId }) => orderId));
      expect(new Set(told)).toEqual(new Set(step.orders.map(({ orderId }) => orderId)));
      expect(changes.flatMap((change) => change.trades)).toHaveLength(step.trades.length * 2);
      orders += told.length;
      trades += step.trades.length;
    }
  }
  expect(orders).toBeGreaterThan(1000);
  expect(trades).toBeGreaterThan(50);
});

it('a batch is opened once for readers that follow closely, and again for one that is far behind', () => {
  const open = createBatchReader();
  const [{ payload } = { payload: '' }] = rewrite();
  const first = open({ position: 1, payload });
  expect(open({ position: 1, payload })).toBe(first);
  for (let position = 2; position <= 65; position += 1) open({ position, payload });
  expect(open({ position: 1, payload })).not.toBe(first);
});
