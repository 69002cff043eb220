import { describe, expect, it } from 'vitest';
import { exampleMarket } from '../../testing/example-market.ts';
import { encodeCommand, type NewCommand } from './command.ts';
import { Misshapen, parseCommand, parseQuery } from './shapes.ts';

const order = { symbol: 'btcusdt', side: 'buy', type: 'limit', price: 1, volume: 1 } as const;
const oco = {
  kind: 'oco',
  symbol: 'btcusdt',
  side: 'sell',
  volume: 1,
  limitPrice: 3,
  stopPrice: 1,
} as const;
const bracket = {
  kind: 'bracket',
  entry: { ...order, total: 5n },
  takeProfitPrice: 3,
  stopLossPrice: 1,
} as const;
const CLIENTS: readonly NewCommand[] = [
  { type: 'place', account: 1, checkpoint: 3, order: { ...order, clientOrderId: 'a', total: 5n } },
  { type: 'place_batch', account: 1, mode: 'independent', orders: [order, order] },
  { type: 'place_list', account: 1, checkpoint: 3, list: { ...oco, stopClientOrderId: 'a' } },
  { type: 'place_list', account: 1, list: bracket },
  { type: 'test', account: 1, order },
  { type: 'amend', account: 1, orderId: 7, price: 5, priceDecimals: 2 },
  { type: 'cancel', account: 1, clientOrderId: 'a', onlyIf: 'open' },
  { type: 'cancel_batch', account: 1, orders: [{ orderId: 7 }, { clientOrderId: 'a' }] },
  { type: 'cancel_all', account: 1, symbol: 'btcusdt', side: 'buy' },
  { type: 'cancel_all_after', account: 1, timeoutMs: 5000 },
];
const OPERATORS: readonly NewCommand[] = [
  { type: 'tick' },
  { type: 'upgrade', version: 2, hashKey: '0'.repeat(32) },
  { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
  { type: 'open_account', account: 1, parent: 1 },
  { type: 'define_fee_tier', tier: 0, makerPpm: 1, takerPpm: 2 },
  { type: 'set_fee_tier', account: 1, tier: 0 },
  { type: 'suspend_account', account: 1, suspended: true, cancelOrders: true },
  { type: 'set_memory', memory: 1000 },
  { type: 'credit_deposit', depositId: 'd', network: 'BTC', coin: 'btc', to: 1, amount: 5n },
  {
    type: 'credit_deposit',
    depositId: 'd',
    network: 'BTC',
    coin: 'btc',
    to: 'suspense',
    amount: 5n,
  },
  {
    type: 'request_withdrawal',
    withdrawalId: 'w',
    account: 1,
    coin: 'btc',
    network: 'BTC',
    amount: 5n,
    fee: 1n,
  },
  { type: 'settle_withdrawal', withdrawalId: 'w' },
  { type: 'cancel_withdrawal', withdrawalId: 'w' },
  {
    type: 'reverse_deposit',
    network: 'BTC',
    depositId: 'd',
    part: 0,
    coin: 'btc',
    account: 1,
    amount: 5n,
    cover: true,
  },
  { type: 'book_chain_cost', costId: 'x', network: 'BTC', coin: 'btc', amount: 5n },
  { type: 'transfer', transferId: 't', from: 1, to: 2, coin: 'btc', amount: 5n },
  { type: 'adjust', adjustmentId: 'a', from: 'fees', to: 2, coin: 'btc', amount: 5n },
  { type: 'create_market', config: exampleMarket() },
  { type: 'configure_market', config: exampleMarket() },
  { type: 'set_phase', symbol: 'btcusdt', phase: 'halted' },
];

describe('the shape of a command', () => {
  it.each([...CLIENTS, ...OPERATORS].map((command) => [command.type, command] as const))(
    'is known: %s',
    (_type, command) => {
      expect(parseCommand(encodeCommand(command), 'engine')).toEqual({ ...command, time: 0 });
    },
  );

  it('is allowed for clients or not, by one list', () => {
    for (const command of CLIENTS) parseCommand(encodeCommand(command), 'client');
    for (const command of OPERATORS) {
      const parse = () => parseCommand(encodeCommand(command), 'client');
      expect(parse).toThrow('not for clients');
      expect(parse).toThrow(Misshapen);
    }
  });

  it('is reserved for the engine when it changes the rules', () => {
    const upgrade = '{"type":"upgrade","version":2,"hashKey":"00"}';
    expect(() => parseCommand(upgrade, 'row')).toThrow('for the engine alone');
  });

  it('has no unknown member, and the engine’s reason only on commands that are not for clients', () => {
    for (const command of [...CLIENTS, ...OPERATORS]) {
      const text = encodeCommand(command);
      const withMember = (name: string) => `${text.slice(0, -1)},"${name}":1}`;
      for (const name of ['surprise', '__proto__', 'constructor', 'time', 'toString']) {
        expect(() => parseCommand(withMember(name), 'engine')).toThrow(
          `there is no member "${name}"`,
        );
      }
      const because = () => parseCommand(withMember('because'), 'engine');
      if (CLIENTS.includes(command)) expect(because).toThrow('because');
      else expect(because()).toMatchObject({ because: 1 });
    }
  });

  it.each([...CLIENTS, ...OPERATORS].map((command) => [command.type, command] as const))(
    'has all its members, each of the right kind: %s',
    (_type, command) => {
      const whole = JSON.parse(encodeCommand(command)) as Record<string, unknown>;
      for (const name of Object.keys(whole)) {
        for (const wrong of [null, {}, [[]], '\u0000', '\ud800', 'x'.repeat(200), '1\n2']) {
          const changed = JSON.stringify({ ...whole, [name]: wrong });
          expect(() => parseCommand(changed, 'row'), `${name}: ${changed}`).toThrow(Misshapen);
        }
        // A number that is not finite: JSON can write one that overflows.
        const endless = JSON.stringify({ ...whole, [name]: 'HERE' }).replace('"HERE"', '1e999');
        expect(() => parseCommand(endless, 'row')).toThrow(Misshapen);
      }
    },
  );

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '"tick"',
    '{}',
    '{"type":7}',
    '{"type":"place_oco"}',
    '{"type":"toString"}',
  ])('is not %s', (text) => {
    expect(() => parseCommand(text, 'row')).toThrow(Misshapen);
  });

  it.each(['abc', '', '1.5', '1e5', ' 1', '0x10', '9'.repeat(49)])(
    'has amounts in digits, not %j',
    (amount) => {
      const text = JSON.stringify({
        type: 'transfer',
        transferId: 't',
        from: 1,
        to: 2,
        coin: 'c',
        amount,
      });
      expect(() => parseCommand(text, 'row')).toThrow(
        'amount must be an amount in units of 10^-18',
      );
    },
  );

  it.each([
    ['half of one', { kind: 'oco', symbol: 'btcusdt', side: 'sell', volume: 1 }],
    ['an OCO that says it is a bracket', { ...oco, kind: 'bracket' }],
    ['a bracket that says it is an OCO', { ...bracket, entry: order, kind: 'oco' }],
    ['one of a third kind', { ...oco, kind: 'ladder' }],
    ['a bracket whose entry is no order', { ...bracket, entry: { symbol: 'btcusdt' } }],
    ['a bracket whose entry has amounts in numbers', { ...bracket, entry: { ...order, total: 5 } }],
    ['a list of lists', [oco]],
    ['one with a stranger’s member', { ...oco, account: 2 }],
  ])('of a list is not %s', (_what, list) => {
    const text = JSON.stringify({ type: 'place_list', account: 1, list });
    expect(() => parseCommand(text, 'client')).toThrow(Misshapen);
  });

  it('says in a short line what was expected and what came', () => {
    const long = JSON.stringify({ type: 'set_phase', symbol: 'x\n'.repeat(5000), phase: 'halted' });
    let said = '';
    try {
      parseCommand(long, 'row');
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain('symbol must be a text of at most 128 characters');
    expect(said.length).toBeLessThan(300);
    expect(said).not.toContain('\n');
  });
});

describe('a read', () => {
  it('is one of the known reads, in its shape', () => {
    expect(parseQuery('{"name":"open","account":1,"limit":5}')).toEqual({
      name: 'open',
      query: { account: 1, limit: 5 },
    });
    for (const text of [
      '{"name":"all"}',
      '{"name":"__proto__"}',
      '{"name":"open","limit":5}',
      '{"name":"open","account":1,"limit":1e999}',
      '{"name":"head","extra":1}',
      '{"name":"list","orderListId":1}',
      '{"name":"list","account":1,"orderListId":1.5}',
      '{}',
      '',
    ]) {
      expect(() => parseQuery(text)).toThrow(Misshapen);
    }
  });
});
