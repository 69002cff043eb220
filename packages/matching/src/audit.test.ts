import { describe, expect, test } from 'vitest';
import { Venue } from '../sim/example.ts';
import { audit, findFaults } from './index.ts';
import { CELLS } from './record.ts';
import * as rec from './record.ts';
import { LIMBS } from './wide.ts';

function sound(): Venue {
  const venue = new Venue();
  venue.sell(1, 1010, 10);
  venue.sell(2, 1020, 10);
  venue.buy(2, 1000, 10);
  expect(findFaults(venue.state)).toEqual([]);
  return venue;
}

describe('an audit of a whole state', () => {
  test('names the coin whose ledger does not add up', () => {
    const { state } = sound();
    const row = state.accounts[0]?.rows[state.coinIndex.get('btc') ?? -1] ?? 0;
    state.rows[row * 3 * LIMBS]! += 1;
    expect(findFaults(state)).toEqual([{ text: 'the ledger of btc adds up to 1', coin: 'btc' }]);
    expect(audit(state)).toEqual(['the ledger of btc adds up to 1']);
  });

  test('names the coin of which an account holds a different amount than its orders need', () => {
    const { state } = sound();
    const row = state.accounts[0]?.rows[state.coinIndex.get('btc') ?? -1] ?? 0;
    const at = row * 3 * LIMBS;
    state.rows[at]! -= 1;
    state.rows[at + LIMBS]! += 1;
    expect(findFaults(state).map(({ coin }) => coin)).toEqual(['btc']);
  });

  test('names the market of an order or a level that is wrong', () => {
    const { state } = sound();
    const slot = state.accounts[0]?.head ?? 0;
    state.pool.f64[slot * CELLS + rec.SHOWN]! += 1;
    const faults = findFaults(state);
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults.map(({ symbol }) => symbol))).toEqual(new Set(['btcusdt']));
  });

  test('ends on broken and circular lists, and reports them', () => {
    for (const [to, text] of [
      ['itself', 'out of order'],
      [1e9, 'lead nowhere'],
      [-7, 'lead nowhere'],
    ] as const) {
      const { state } = sound();
      const slot = state.accounts[0]?.head ?? 0;
      state.pool.i32[slot * CELLS * 2 + rec.MINE_NEXT] = to === 'itself' ? slot : to;
      expect(audit(state).join('\n')).toContain(text);
    }
    for (const [to, text] of [
      ['itself', 'is not linked'],
      [1e9, 'leads nowhere'],
    ] as const) {
      const { state } = sound();
      const slot = state.accounts[0]?.head ?? 0;
      state.pool.i32[slot * CELLS * 2 + rec.NEXT] = to === 'itself' ? slot : to;
      expect(audit(state).join('\n')).toContain(`a queue in btcusdt ${text}`);
    }
  });
});
