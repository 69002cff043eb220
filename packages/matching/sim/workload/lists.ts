// Draws order lists around the last price: mostly sensible ones, some with one rule broken, some again.

import type { BracketTerms, Command, ListTerms, OcoTerms, OrderTerms } from '../../src/command.ts';
import { ListStories } from './list-stories.ts';
import type { Random } from '../random.ts';
import type { TermsDrawer } from '../terms.ts';

interface Sent {
  account: number;
  list: ListTerms;
}

const ID_NAMES = [
  'limitClientOrderId',
  'stopClientOrderId',
  'takeProfitClientOrderId',
  'stopLossClientOrderId',
] as const;

/** The client ids of a list. */
function idsOf(list: ListTerms): string[] {
  const named = list as unknown as Record<string, unknown>;
  const ids = ID_NAMES.map((name) => named[name]);
  if (list.kind === 'bracket') ids.push(list.entry.clientOrderId);
  return ids.filter((id): id is string => typeof id === 'string' && id !== '');
}

/** What a caller has seen that knows none of the ids yet. */
const blind = (account: number, list: ListTerms, seen: (key: string) => number): number =>
  Math.min(seen(''), ...idsOf(list).map((id) => seen(`${account}|${id}`)));

export class ListDrawer {
  readonly #r: Random;
  readonly #terms: TermsDrawer;
  readonly #stories: ListStories;
  readonly #sent: Sent[] = [];

  constructor(r: Random, terms: TermsDrawer) {
    this.#r = r;
    this.#terms = terms;
    this.#stories = new ListStories(r, terms.observed);
  }

  /** `checkpointFor` gives what a caller has seen that does not know the id yet. */
  next(time: number, by: number, checkpointFor: (key: string) => number): Command[] {
    const r = this.#r;
    const account = r.chance(0.01) ? 5 : by;
    const again = r.chance(0.2) ? this.#sent.at(-1 - r.below(20)) : undefined;
    if (again !== undefined) {
      const list = structuredClone(again.list);
      if (r.chance(0.4)) this.#spoil(list);
      const checkpoint = blind(again.account, list, checkpointFor);
      return [{ type: 'place_list', time, account: again.account, list, checkpoint }];
    }
    const list = r.chance(0.5) ? this.#oco(account) : this.#bracket(account);
    const isSpoiled = r.chance(this.#terms.world.invalid);
    if (isSpoiled) this.#spoil(list);
    if (!isSpoiled && idsOf(list).length > 0) {
      this.#sent.push({ account, list });
      if (this.#sent.length > 60) this.#sent.shift();
    }
    const checkpoint = blind(account, list, checkpointFor);
    const command = { type: 'place_list', time, account, list, checkpoint } as const;
    return !isSpoiled && r.chance(0.7) ? this.#stories.tell(command) : [command];
  }

  /** Some ticks away, seldom none or to the wrong side. */
  #away(symbol: string): number {
    const r = this.#r;
    const plan = this.#terms.world.markets.find(({ config }) => config.symbol === symbol);
    return r.chance(0.03) ? -r.below(3) : r.logBetween(1, (plan?.usualTicks ?? 1) + 1);
  }

  #last(symbol: string): number {
    const { world, observed } = this.#terms;
    const plan = world.markets.find(({ config }) => config.symbol === symbol);
    if (plan === undefined) return 100;
    return observed.market(symbol).last || plan.config.listingPriceTicks;
  }

  #id(): string {
    this.#terms.serial += 1;
    return `l-${this.#terms.serial}`;
  }

  #decimals(symbol: string): number {
    const plan = this.#terms.world.markets.find(({ config }) => config.symbol === symbol);
    return plan?.config.quotePrecision ?? 0;
  }

  /** Terms for a market that trades, mostly: the others refuse every list. */
  #draw(kind: Parameters<TermsDrawer['terms']>[0], account: number): OrderTerms {
    let terms = this.#terms.terms(kind, account);
    for (let left = 4; left > 0; left--) {
      const { observed } = this.#terms;
      if (!observed.seen.has(terms.symbol)) break;
      if (observed.market(terms.symbol).phase === 'continuous') break;
      terms = this.#terms.terms(kind, account);
    }
    return terms;
  }

  #oco(account: number): OcoTerms {
    const r = this.#r;
    const like = this.#draw('limit', account);
    const { symbol, side } = like;
    const last = this.#last(symbol);
    const sign = side === 'buy' ? -1 : 1;
    const list: OcoTerms = {
      kind: 'oco',
      symbol,
      side,
      volume: like.volume ?? 1,
      limitPrice: Math.max(1, last + sign * this.#away(symbol)),
      stopPrice: Math.max(1, last - sign * this.#away(symbol)),
      priceDecimals: this.#decimals(symbol),
    };
    if (like.volumeDecimals !== undefined) list.volumeDecimals = like.volumeDecimals;
    if (like.stpMode !== undefined) list.stpMode = like.stpMode;
    if (r.chance(side === 'buy' ? 0.97 : 0.5)) {
      const near = list.stopPrice - sign * r.between(-2, 3);
      list.stopLimitPrice = Math.max(1, r.chance(0.1) ? list.limitPrice : near);
    }
    if (r.chance(this.#terms.world.clientIds)) list.limitClientOrderId = this.#id();
    if (r.chance(this.#terms.world.clientIds)) list.stopClientOrderId = this.#id();
    return list;
  }

  #bracket(account: number): BracketTerms {
    const r = this.#r;
    const kind = r.pick(['limit', 'limit', 'limit', 'market', 'immediate'] as const);
    const entry = this.#draw(r.chance(0.02) ? 'conditional' : kind, account);
    const { symbol, side } = entry;
    const decimals = this.#decimals(symbol);
    const isPriced = entry.price !== undefined && entry.priceDecimals === decimals;
    const from = isPriced ? entry.price! : this.#last(symbol);
    const sign = side === 'buy' ? 1 : -1;
    if (kind === 'limit' && isPriced && r.chance(0.08)) this.#crossPostOnly(entry);
    const list: BracketTerms = {
      kind: 'bracket',
      entry,
      takeProfitPrice: Math.max(1, from + sign * this.#away(symbol)),
      stopLossPrice: Math.max(1, from - sign * this.#away(symbol)),
      priceDecimals: decimals,
    };
    if (r.chance(side === 'sell' ? 0.97 : 0.5)) {
      list.stopLossLimitPrice = Math.max(1, list.stopLossPrice - sign * r.between(-2, 3));
    }
    if (r.chance(this.#terms.world.clientIds)) list.takeProfitClientOrderId = this.#id();
    if (r.chance(this.#terms.world.clientIds)) list.stopLossClientOrderId = this.#id();
    return list;
  }

  /** A post-only entry at the best price of the other side. */
  #crossPostOnly(entry: OrderTerms): void {
    const { world, observed } = this.#terms;
    const plan = world.markets.find(({ config }) => config.symbol === entry.symbol);
    if (plan === undefined || entry.type !== 'limit') return;
    const best = observed.best(plan, entry.side === 'buy' ? 'sell' : 'buy');
    if (best === undefined) return;
    entry.price = best;
    entry.postOnly = true;
    entry.timeInForce = 'GTC';
    delete entry.expireTime;
  }

  /** Changes one thing, for the worse or so that it is another request. */
  #spoil(list: ListTerms): void {
    const r = this.#r;
    const t = list as unknown as Record<string, unknown>;
    // The kind may have been spoiled before.
    const isOco = !('entry' in list);
    const prices = isOco
      ? ['limitPrice', 'stopPrice', 'stopLimitPrice']
      : ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'];
    const ids = isOco ? ID_NAMES.slice(0, 2) : ID_NAMES.slice(2);
    const price = r.pick(prices);
    const spoilers: Array<() => void> = [
      () => void delete t[prices[2]!],
      () => (t[price] = r.pick([0, 1, 1.5, -1, 9e14, 9e15])),
      () => (t[price] = ((t[price] as number | undefined) ?? 1) + r.pick([-1, 1, 10])),
      () => ([t[prices[0]!], t[prices[1]!]] = [t[prices[1]!], t[prices[0]!]]),
      () => (t['priceDecimals'] = (list.priceDecimals ?? 0) + 1),
      () => {
        if (isOco) t['volumeDecimals'] = 18;
        else list.entry = { ...list.entry, volumeDecimals: 18 };
      },
      () => (t[ids[1]!] = isOco ? t[ids[0]!] : list.entry.clientOrderId),
      () => (t[r.pick(ids)] = r.pick(['a b', 'x'.repeat(37), this.#id()])),
      () => void delete t[r.pick(ids)],
      () => (t[r.pick(ids)] = this.#terms.sent.at(-1)?.terms.clientOrderId ?? 'none'),
      () => (t['kind'] = 'oto'),
      () => {
        if (isOco) t['side'] = r.pick(['buy', 'sell', 'hold']);
        else list.entry = { ...list.entry, type: r.pick(['limit', 'stop_limit']) };
      },
      () => {
        if (isOco) t['volume'] = r.pick([0, list.volume + 1, 9e15]);
        else list.entry = { ...list.entry, volume: (list.entry.volume ?? 0) + 1 };
      },
      () => {
        if (isOco) t['symbol'] = 'nosuch';
        else list.entry = { ...list.entry, symbol: 'nosuch' };
      },
    ];
    r.pick(spoilers)();
  }
}
