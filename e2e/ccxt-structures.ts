// What ccxt asks of the structures that an exchange returns. The npm package has no tests in it, so the rules of its own
// tests are written here anew: which members there are, of which type, which may be undefined, and how they fit together.
import { functions, Precise, type Dict, type Exchange } from 'ccxt';
import { expect } from 'vitest';

type Kind = 'text' | 'number' | 'flag' | 'object' | 'list' | 'any';
/** Names of members by their kind. A question mark says that it may be undefined; it has to be there in any case. */
type Shape = Readonly<Partial<Record<Kind | `${Kind}?`, string>>>;

const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: (value) => Array.isArray(value),
  any: (value) => value !== undefined,
};

/** Numbers as text, which compare exactly. */
const text = (value: unknown): string => functions.numberToString(value as number) ?? '';

export class Structures {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  #shape(what: string, entry: Dict, ...shapes: readonly Shape[]): void {
    for (const [given, names] of shapes.flatMap((shape) => Object.entries(shape))) {
      const kind = given.replace('?', '') as Kind;
      for (const name of names.split(' ')) {
        const at = `${what}.${name} of ${JSON.stringify(entry)}`;
        expect(name in entry, `${at} is missing`).toBe(true);
        if (given.endsWith('?') && entry[name] === undefined) continue;
        expect(KINDS[kind](entry[name]), `${at} is no ${kind}`).toBe(true);
      }
    }
  }

  #time(entry: Dict, name: string | number = 'timestamp'): void {
    const at: unknown = entry[name];
    if (at === undefined) return;
    expect(Number.isInteger(at)).toBe(true);
    expect(at).toBeGreaterThan(Date.UTC(2009, 0, 3));
    expect(at).toBeLessThan(Date.now() + 60_000);
    if (name !== 'timestamp') return;
    expect(entry['datetime']).toBe(new Date(at as number).toISOString());
  }

  #atLeast(entry: Dict, name: string | number, least: unknown): void {
    if (entry[name] === undefined || least === undefined) return;
    const isEnough = Precise.stringGe(text(entry[name]), text(least));
    expect(isEnough, `${name} of ${JSON.stringify(entry)} is under ${text(least)}`).toBe(true);
  }

  #above(entry: Dict, name: string | number, floor: unknown): void {
    if (entry[name] === undefined) return;
    const isAbove = Precise.stringGt(text(entry[name]), text(floor));
    expect(isAbove, `${name} of ${JSON.stringify(entry)} is not above ${text(floor)}`).toBe(true);
  }

  #code(code: unknown, expected?: string): void {
    if (code === undefined) return;
    expect(Object.keys(this.#exchange.currencies)).toContain(code);
    if (expected !== undefined) expect(code).toBe(expected);
  }

  #codeAndId(code: string, id: string): void {
    expect(this.#exchange.currency(code).id).toBe(id);
    expect(this.#exchange.safeCurrency(id).code).toBe(code);
  }

  /** Trades of others have fees that nobody is told. */
  #fee(fee: Dict | undefined, isKnown = true): void {
    if (fee === undefined) return;
    const known: Shape = { number: 'cost', text: 'currency' };
    this.#shape('fee', fee, isKnown ? known : { 'number?': 'cost', 'text?': 'currency' });
    this.#code(fee['currency']);
  }

  /** Steps, and not numbers of decimals in their place. */
  #step(entry: Dict, name: string): void {
    this.#above(entry, name, 0);
    expect([2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16]).not.toContain(entry[name]);
  }

  #oldestFirst(entries: readonly Dict[]): void {
    const times = entries.map(({ timestamp }) => timestamp as number);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }

  #range(range: Dict): void {
    this.#atLeast(range, 'min', 0);
    this.#above(range, 'max', 0);
    this.#atLeast(range, 'max', range['min']);
  }

  status(entry: Dict): void {
    this.#shape('status', entry, {
      any: 'info',
      text: 'status',
      'number?': 'updated eta',
      'text?': 'url',
    });
    expect(['ok', 'shutdown', 'error', 'maintenance']).toContain(entry['status']);
  }

  market(entry: Dict): void {
    this.#shape('market', entry, {
      text: 'id symbol base quote baseId quoteId type',
      flag: 'active spot swap future option margin contract',
      number: 'taker maker',
      object: 'precision limits marginModes',
      any: 'info',
      'number?': 'created',
    });
    expect(entry['type']).toBe('spot');
    expect(entry['symbol']).toBe(`${entry['base']}/${entry['quote']}`);
    const isOf = ['linear', 'inverse', 'contractSize', 'settle', 'settleId', 'expiry', 'strike'];
    for (const name of isOf) expect(entry[name], `${name} of a spot market`).toBeUndefined();
    for (const name of ['taker', 'maker']) expect(Math.abs(entry[name])).toBeLessThan(100);
    for (const name of Object.keys(entry['precision'])) {
      if (entry['precision'][name] !== undefined) this.#step(entry['precision'], name);
    }
    for (const name of ['amount', 'price', 'cost']) expect(entry['limits']).toHaveProperty(name);
    if (entry['active'] === true)
      Object.values<Dict>(entry['limits']).forEach((r) => this.#range(r));
    this.#codeAndId(entry['base'], entry['baseId']);
    this.#codeAndId(entry['quote'], entry['quoteId']);
    this.#time(entry, 'created');
    this.#shape('marginModes', entry['marginModes'], { flag: 'cross isolated' });
  }

  currency(entry: Dict): void {
    const shared: Shape = {
      any: 'info',
      text: 'id',
      flag: 'withdraw deposit active',
      number: 'precision',
      'number?': 'fee',
      object: 'limits',
    };
    this.#shape('currency', entry, shared, { text: 'code', 'text?': 'name', object: 'networks' });
    this.#codeAndId(entry['code'], entry['id']);
    const networks = Object.values<Dict>(entry['networks']);
    for (const network of networks) this.#shape('network', network, shared, { text: 'network' });
    for (const one of [entry, ...networks]) {
      if (one['deposit'] === one['withdraw']) expect(one['active']).toBe(one['deposit']);
      this.#step(one, 'precision');
      this.#atLeast(one, 'fee', 0);
      for (const name of ['withdraw', 'deposit']) this.#range(one['limits'][name]);
    }
  }

  orderBook(entry: Dict, symbol: string): void {
    this.#shape('book', entry, {
      text: 'symbol datetime',
      list: 'bids asks',
      number: 'timestamp nonce',
    });
    expect(entry['symbol']).toBe(symbol);
    this.#time(entry);
    for (const [name, sign] of [
      ['bids', -1],
      ['asks', 1],
    ] as const) {
      const levels = entry[name] as [number, number][];
      for (const [index, level] of levels.entries()) {
        this.#above(level, 0, 0);
        this.#above(level, 1, 0);
        const next = levels[index + 1];
        if (next !== undefined) expect(sign * (next[0] - level[0])).toBeGreaterThan(0);
      }
    }
    const [bid, ask] = [entry['bids'][0], entry['asks'][0]];
    if (bid !== undefined && ask !== undefined) expect(bid[0]).toBeLessThan(ask[0]);
  }

  ticker(
    entry: Dict,
    { symbol, isBest = false }: { symbol?: string; isBest?: boolean } = {},
  ): void {
    this.#shape(
      'ticker',
      entry,
      { any: 'info', text: 'symbol', 'text?': 'datetime' },
      { 'number?': 'timestamp high low bidVolume askVolume vwap open close last' },
      { 'number?': 'previousClose change percentage average baseVolume quoteVolume' },
      isBest ? { number: 'bid ask' } : { 'number?': 'bid ask' },
    );
    if (symbol !== undefined) expect(entry['symbol']).toBe(symbol);
    this.#time(entry);
    for (const name of ['open', 'high', 'low', 'close', 'ask', 'bid', 'average']) {
      this.#above(entry, name, 0);
    }
    for (const name of ['askVolume', 'bidVolume', 'vwap', 'baseVolume', 'quoteVolume']) {
      this.#atLeast(entry, name, 0);
    }
    expect(entry['last']).toBe(entry['close']);
    if (entry['bid'] !== undefined) this.#above(entry, 'ask', entry['bid']);
    const { baseVolume, quoteVolume, high, low } = entry;
    if ([baseVolume, quoteVolume, high, low].includes(undefined)) return;
    const [base, quote] = [text(baseVolume), text(quoteVolume)];
    expect(Precise.stringGe(quote, Precise.stringMul(base, text(low)))).toBe(true);
    expect(Precise.stringLe(quote, Precise.stringMul(base, text(high)))).toBe(true);
  }

  lastPrice(entry: Dict): void {
    this.#shape('last price', entry, {
      any: 'info',
      text: 'symbol',
      'number?': 'timestamp price',
      'text?': 'datetime side',
    });
    this.#time(entry);
    this.#above(entry, 'price', 0);
  }

  trade(entry: Dict, symbol: string, isOwn: boolean): void {
    this.#shape(
      'trade',
      entry,
      { any: 'info', text: 'id datetime symbol side takerOrMaker', 'list?': 'fees' },
      { number: 'timestamp price amount cost' },
      isOwn ? { text: 'order', object: 'fee' } : { 'text?': 'order', 'object?': 'fee' },
    );
    this.#time(entry);
    expect(entry['symbol']).toBe(symbol);
    expect(['buy', 'sell']).toContain(entry['side']);
    expect(['taker', 'maker']).toContain(entry['takerOrMaker']);
    for (const fee of [entry['fee'], ...(entry['fees'] ?? [])]) this.#fee(fee, isOwn);
  }

  trades(entries: readonly Dict[], symbol: string, isOwn: boolean): void {
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) this.trade(entry, symbol, isOwn);
    this.#oldestFirst(entries);
  }

  ohlcvs(entries: readonly (readonly (number | undefined)[])[]): void {
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry).toHaveLength(6);
      this.#time(entry, 0);
      const [, open = 0, high = 0, low = 0, close = 0, volume = 0] = entry;
      expect(high).toBeGreaterThanOrEqual(Math.max(open, low, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
      expect(volume).toBeGreaterThanOrEqual(0);
    }
    const times = entries.map(([time = 0]) => time);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  }

  order(entry: Dict, symbol: string): void {
    this.#shape('order', entry, {
      any: 'info',
      text: 'id datetime symbol type side status',
      'text?': 'clientOrderId timeInForce',
      number: 'timestamp cost filled',
      'number?': 'lastTradeTimestamp price triggerPrice stopPrice amount average remaining',
      flag: 'postOnly',
      object: 'fee',
      list: 'trades',
    });
    this.#time(entry);
    expect(entry['symbol']).toBe(symbol);
    expect(['limit', 'market']).toContain(entry['type']);
    // A market order that waits for its trigger has none.
    expect(['GTC', 'IOC', 'FOK', 'PO', 'GTD', undefined]).toContain(entry['timeInForce']);
    expect(['open', 'closed', 'canceled', 'expired', 'rejected']).toContain(entry['status']);
    expect(['buy', 'sell']).toContain(entry['side']);
    for (const name of ['price', 'triggerPrice', 'stopPrice', 'average'])
      this.#above(entry, name, 0);
    for (const name of ['filled', 'remaining', 'amount', 'cost']) this.#atLeast(entry, name, 0);
    if (entry['filled'] > 0) this.#above(entry, 'cost', 0);
    this.#atLeast(entry, 'amount', entry['remaining']);
    this.#atLeast(entry, 'amount', entry['filled']);
    for (const trade of entry['trades']) this.trade(trade, symbol, true);
    this.#fee(entry['fee']);
  }

  orders(entries: readonly Dict[], symbol: string): void {
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) this.order(entry, symbol);
    this.#oldestFirst(entries);
  }

  balance(entry: Dict): void {
    this.#shape('balance', entry, { any: 'info', object: 'free used total' });
    const codes = Object.keys(entry['total']);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) {
      this.#code(code);
      const [total, free, used] = ['total', 'free', 'used'].map((name) => text(entry[name][code]));
      expect(Precise.stringEq(total, Precise.stringAdd(free, used)), code).toBe(true);
    }
  }

  ledgerEntry(entry: Dict, code?: string): void {
    this.#shape('ledger entry', entry, {
      any: 'info',
      text: 'id currency account status direction datetime type',
      'text?': 'referenceId referenceAccount',
      number: 'amount before after timestamp',
      object: 'fee',
    });
    this.#time(entry);
    this.#code(entry['currency'], code);
    expect(['in', 'out']).toContain(entry['direction']);
    const types = ['trade', 'transaction', 'margin', 'cashback', 'referral', 'transfer', 'fee'];
    expect(types).toContain(entry['type']);
    for (const name of ['amount', 'before', 'after']) this.#atLeast(entry, name, 0);
    this.#fee(entry['fee']);
  }

  tradingFee(entry: Dict, symbol: string): void {
    this.#shape('trading fee', entry, {
      any: 'info',
      text: 'symbol',
      number: 'maker taker',
      flag: 'percentage tierBased',
    });
    expect(entry['symbol']).toBe(symbol);
  }

  account(entry: Dict): void {
    this.#shape('account', entry, {
      any: 'info',
      'text?': 'code',
      text: 'type id',
    });
  }

  transfer(entry: Dict, code: string): void {
    this.#shape('transfer', entry, {
      any: 'info',
      text: 'id datetime currency fromAccount toAccount status',
      number: 'timestamp amount',
    });
    this.#time(entry);
    this.#code(entry['currency'], code);
    expect(['ok', 'pending', 'failed']).toContain(entry['status']);
    this.#atLeast(entry, 'amount', 0);
  }

  depositWithdrawFee(entry: Dict): void {
    const fees: Shape = { object: 'withdraw deposit' };
    this.#shape('fees', entry, fees, { any: 'info', object: 'networks' });
    for (const one of [entry, ...Object.values<Dict>(entry['networks'])]) {
      this.#shape('fees of a network', one, fees);
      for (const name of ['withdraw', 'deposit']) {
        this.#shape(name, one[name], { 'number?': 'fee', 'flag?': 'percentage' });
        this.#atLeast(one[name], 'fee', 0);
      }
    }
  }
}
