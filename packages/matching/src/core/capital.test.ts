import { describe, expect, test } from 'vitest';
import { apply, audit, createState, listVenueBalances, restore, snapshot } from '../index.ts';
import type { Command, Result, State } from '../index.ts';

type Untimed = Command extends infer C ? (C extends Command ? Omit<C, 'time'> : never) : never;

/** Applies at one time; gives the code of a refusal, or the kind of the result. */
function run(s: State, command: Untimed): number | string {
  const { result }: { result: Result } = apply(s, { time: 1, ...command });
  if (result.kind === 'rejected') return result.rejection.code;
  return result.kind === 'moved' && result.replay ? 'again' : result.kind;
}

function open(rules = 2): State {
  const s = createState({ memory: 10, rules });
  run(s, { type: 'list_coin', coin: 'usdt', networks: ['ETH', 'SIMULATED'] });
  run(s, { type: 'open_account', account: 1, parent: 1 });
  return s;
}

const deposit = (network: string, depositId = 'd'): Untimed => ({
  type: 'credit_deposit',
  depositId,
  network,
  coin: 'usdt',
  to: 1,
  amount: 5n,
});
const capital = (
  type: 'contribute_capital' | 'withdraw_capital',
  contributionId: string,
  changes: { coin?: string; network?: string; amount?: bigint } = {},
): Untimed => ({ type, contributionId, coin: 'usdt', network: 'ETH', amount: 5n, ...changes });

const owned = (s: State, owner: string): bigint =>
  listVenueBalances(s).find((one) => one.owner === owner)?.amount ?? 0n;

describe('the kind of money', () => {
  test('is set once, and setting it again changes nothing', () => {
    const s = open();
    expect(s.money).toBe('');
    expect(run(s, { type: 'set_money', money: 'real' })).toBe('done');
    expect(run(s, { type: 'set_money', money: 'real' })).toBe('done');
    expect(run(s, { type: 'set_money', money: 'simulated' })).toBe(2009);
    expect(run(s, { type: 'set_money', money: 'play' as never })).toBe(2002);
    expect(restore(snapshot(s)).money).toBe('real');
  });

  test('real money comes over no simulated network, and simulated money over no other', () => {
    const real = open();
    run(real, { type: 'set_money', money: 'real' });
    expect(run(real, deposit('SIMULATED'))).toBe(5004);
    expect(run(real, { type: 'list_coin', coin: 'btc', networks: ['BTC', 'SIMULATED'] })).toBe(
      5004,
    );
    expect(run(real, capital('contribute_capital', 'c', { network: 'SIMULATED' }))).toBe(5004);
    expect(run(real, deposit('ETH'))).toBe('moved');
    const simulated = open();
    run(simulated, { type: 'set_money', money: 'simulated' });
    expect(run(simulated, deposit('ETH'))).toBe(5004);
    expect(run(simulated, deposit('SIMULATED'))).toBe('moved');
    const withdrawal = { account: 1, coin: 'usdt', amount: 2n, fee: 1n } as const;
    const ask = (network: string): Untimed => ({
      type: 'request_withdrawal',
      withdrawalId: network,
      network,
      ...withdrawal,
    });
    expect(run(simulated, ask('ETH'))).toBe(5005);
    expect(run(simulated, ask('SIMULATED'))).toBe('moved');
  });

  test('a venue without a kind takes everything, and money made out of nothing never becomes real', () => {
    const s = open();
    expect([run(s, deposit('ETH')), run(s, deposit('SIMULATED'))]).toEqual(['moved', 'moved']);
    expect(run(s, { type: 'set_money', money: 'real' })).toBe(2009);
    expect(run(s, { type: 'set_money', money: 'simulated' })).toBe('done');
  });
});

describe('capital', () => {
  test('comes in against custody, once for each id, and leaves the same way', () => {
    const s = open();
    expect(run(s, capital('contribute_capital', 'a'))).toBe('moved');
    expect(run(s, capital('contribute_capital', 'a'))).toBe('again');
    expect(run(s, capital('contribute_capital', 'a', { amount: 6n }))).toBe(5011);
    expect(run(s, capital('withdraw_capital', 'a'))).toBe(5011);
    expect([owned(s, 'capital'), owned(s, 'custody:ETH')]).toEqual([5n, -5n]);
    expect(run(s, capital('withdraw_capital', 'b', { amount: 6n }))).toBe(5001);
    expect(run(s, capital('withdraw_capital', 'b', { amount: 2n }))).toBe('moved');
    expect([owned(s, 'capital'), owned(s, 'custody:ETH')]).toEqual([3n, -3n]);
    const copy = restore(snapshot(s));
    expect([owned(copy, 'capital'), audit(copy)]).toEqual([3n, []]);
  });

  test('is moved on by adjustments, and no deposit can credit it', () => {
    const s = open();
    run(s, capital('contribute_capital', 'a'));
    const adjust = { type: 'adjust', coin: 'usdt', from: 'capital', to: 1 } as const;
    expect(run(s, { ...adjust, adjustmentId: 'x', amount: 6n })).toBe(5001);
    expect(run(s, { ...adjust, adjustmentId: 'x', amount: 4n })).toBe('moved');
    expect(owned(s, 'capital')).toBe(1n);
    expect(run(s, { ...deposit('ETH'), to: 'capital' } as never)).toBe(7001);
  });

  test('names a coin, one of its networks, and an amount that the ledger can hold', () => {
    const s = open();
    const changed: Array<[Parameters<typeof capital>[2], number]> = [
      [{ coin: 'no' }, 4002],
      [{ network: 'BTC' }, 4003],
      [{ amount: 0n }, 2003],
      [{ amount: -1n }, 2003],
      [{ amount: 10n ** 36n + 1n }, 2003],
    ];
    for (const [changes, code] of changed) {
      expect(run(s, capital('contribute_capital', 'c', changes))).toBe(code);
      expect(run(s, capital('withdraw_capital', 'c', changes))).toBe(code);
    }
    expect(run(s, capital('contribute_capital', 'c', { amount: 10n ** 36n }))).toBe('moved');
    expect(run(s, capital('contribute_capital', 'd', { amount: 1n }))).toBe(2003);
  });

  test('a state under rules 1 knows none of this, as the first release did not', () => {
    const s = open(1);
    expect(run(s, { type: 'set_money', money: 'real' })).toBe('done');
    expect(s.money).toBe('');
    expect(run(s, capital('contribute_capital', 'a'))).toBe('done');
    expect(owned(s, 'capital')).toBe(0n);
    const adjust = { adjustmentId: 'x', coin: 'usdt', to: 1, amount: 1n } as const;
    expect(run(s, { type: 'adjust', from: 'capital', ...adjust })).toBe(7001);
    expect(run(s, { type: 'settle_withdrawal', withdrawalId: 'never' })).toBe(5010);
  });
});
