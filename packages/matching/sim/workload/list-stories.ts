// Short sequences of commands that bring a list into a rare situation, which chance alone seldom does.

import type { BracketTerms, Command, OcoTerms, OrderTerms } from '../../src/command.ts';
import type { Observed } from '../observed.ts';
import type { Random } from '../random.ts';

export class ListStories {
  readonly #r: Random;
  readonly #observed: Observed;

  constructor(r: Random, observed: Observed) {
    this.#r = r;
    this.#observed = observed;
  }

  #other(account: number): number {
    const { accounts } = this.#observed.world;
    const others = accounts.filter((a) => a !== account);
    return others.length > 0 ? this.#r.pick(others) : account;
  }

  /** The command that places the list, among others; its terms are moved to where the book is. */
  tell(place: Extract<Command, { type: 'place_list' }>): Command[] {
    const { list } = place;
    const { symbol, side } = list.kind === 'oco' ? list : list.entry;
    const isKnown = this.#observed.seen.has(symbol) && ['buy', 'sell'].includes(side);
    if (!isKnown) return [place];
    if (list.kind === 'oco') this.#bringNear(list);
    else this.#bringInFront(list, place.account);
    return list.kind === 'oco' ? this.#ofOco(place, list) : this.#ofBracket(place, list);
  }

  /** One tick on either side of the last price. */
  #bringNear(list: OcoTerms): void {
    const { last } = this.#observed.market(list.symbol);
    if (last < 2) return;
    const sign = list.side === 'buy' ? -1 : 1;
    list.limitPrice = last + sign;
    list.stopPrice = last - sign;
    if (list.stopLimitPrice !== undefined) list.stopLimitPrice = Math.max(1, last - 2 * sign);
  }

  /** The best price of its side, and a client id to cancel it by. */
  #bringInFront(list: BracketTerms, account: number): void {
    const { entry } = list;
    const { world, seq } = this.#observed;
    const plan = world.markets.find(({ config }) => config.symbol === entry.symbol);
    if (plan === undefined || entry.type !== 'limit' || entry.price === undefined) return;
    if (entry.priceDecimals !== plan.config.quotePrecision) return;
    const sign = entry.side === 'buy' ? 1 : -1;
    const own = this.#observed.best(plan, entry.side);
    const other = this.#observed.best(plan, entry.side === 'buy' ? 'sell' : 'buy');
    let price = own === undefined ? entry.price : own + sign;
    if (other !== undefined && (other - price) * sign <= 0) price = other - sign;
    const shift = price - entry.price;
    if (Math.min(price, list.takeProfitPrice + shift, list.stopLossPrice + shift) < 1) return;
    entry.price = price;
    list.takeProfitPrice += shift;
    list.stopLossPrice += shift;
    if (list.stopLossLimitPrice !== undefined) {
      list.stopLossLimitPrice = Math.max(1, list.stopLossLimitPrice + shift);
    }
    entry.clientOrderId ??= `e-${account}-${seq}`;
  }

  #ofOco(place: Extract<Command, { type: 'place_list' }>, list: OcoTerms): Command[] {
    const r = this.#r;
    const { time, account } = place;
    const { symbol, volume } = list;
    const side = list.side === 'buy' ? 'sell' : 'buy';
    const decimals = {
      priceDecimals: list.priceDecimals ?? 0,
      volumeDecimals: list.volumeDecimals ?? 0,
    };
    const order = (by: number, terms: Partial<OrderTerms>): Command => ({
      type: 'place',
      time,
      account: by,
      order: { symbol, side, type: 'limit', volume, ...decimals, ...terms },
    });
    switch (r.pick([0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 6])) {
      case 0: {
        // Fires by the same trade as the stop, runs first, and trades with the limit leg.
        const [by, another] = [this.#other(account), this.#other(account)];
        const { limitPrice: price, stopPrice } = list;
        return [
          order(by, { type: 'take_profit_limit', stopPrice, price, volume: volume * 3 }),
          place,
          order(by, { price: stopPrice, volume: 1 }),
          order(another, {
            side: list.side,
            price: stopPrice,
            volume: volume * 3,
            timeInForce: 'IOC',
          }),
        ];
      }
      case 1: {
        const half = Math.max(1, Math.floor(volume / 2));
        const price = list.limitPrice;
        return [place, order(account, { price, volume: half, stpMode: 'decrement' })];
      }
      case 2:
        return [place, { type: 'cancel_all', time, account, side: list.side }];
      case 3:
        return [place, { type: 'cancel_all_after', time, account, timeoutMs: 5_000 }];
      case 4: {
        const clientOrderId = list.limitClientOrderId ?? list.stopClientOrderId;
        if (clientOrderId === undefined) return [place];
        const reason = r.pick(['disconnect', 'admin'] as const);
        return [place, { type: 'cancel', time, account, clientOrderId, reason }];
      }
      case 5: {
        // The limit leg is left alone, as an order like any other.
        const half = Math.max(1, Math.floor(volume / 2));
        const { limitClientOrderId: clientOrderId, limitPrice: price, volumeDecimals = 0 } = list;
        if (clientOrderId === undefined) return [place];
        return [
          place,
          order(this.#other(account), { price, volume: half, timeInForce: 'IOC' }),
          { type: 'amend', time, account, clientOrderId, volume: volume * 2, volumeDecimals },
        ];
      }
      default:
        return [place, order(this.#other(account), { price: list.limitPrice, timeInForce: 'IOC' })];
    }
  }

  #ofBracket(place: Extract<Command, { type: 'place_list' }>, list: BracketTerms): Command[] {
    const r = this.#r;
    const { time, account } = place;
    const { entry } = list;
    const { symbol, clientOrderId } = entry;
    const config = this.#observed.world.markets.find((m) => m.config.symbol === symbol)?.config;
    if (entry.type !== 'limit' || config === undefined) return [place];
    const by = this.#other(account);
    const fill = (volume: number): Command => ({
      type: 'place',
      time,
      account: by,
      order: {
        ...entry,
        side: entry.side === 'buy' ? 'sell' : 'buy',
        type: 'limit',
        volume,
        timeInForce: 'IOC',
        postOnly: false,
        ...NOTHING,
      },
    });
    const volume = entry.volume ?? 1;
    const half = Math.max(1, Math.floor(volume / 2));
    const end: Command[] =
      clientOrderId === undefined ? [] : [{ type: 'cancel', time, account, clientOrderId }];
    switch (r.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 5, 5])) {
      case 0: {
        const phase = r.pick(['cancel_only', 'post_only', 'halted'] as const);
        return [
          place,
          fill(half),
          { type: 'set_phase', time, symbol, phase },
          ...end,
          { type: 'set_phase', time, symbol, phase: 'continuous' },
        ];
      }
      case 1: {
        const coin = entry.side === 'buy' ? config.base : config.quote;
        const amount = this.#observed.available.get(`${account}|${coin}`) ?? 0n;
        if (amount <= 0n || by === account) return [place];
        const { seq } = this.#observed;
        const id = `all-${seq}`;
        const transfer = { type: 'transfer', time, coin, amount, checkpoint: seq } as const;
        return [
          place,
          { ...transfer, transferId: id, from: account, to: by },
          fill(volume),
          { ...transfer, transferId: `${id}b`, from: by, to: account },
        ];
      }
      case 2:
        return [place, fill(half), ...end];
      case 3:
        return [place, fill(half), { type: 'cancel_all', time, account }];
      case 5: {
        // Trades through the entry and beyond, so that the stop has been reached when it begins.
        const deeper = fill(volume * 3);
        if (deeper.type !== 'place' || entry.price === undefined) return [place];
        deeper.order.price = Math.max(1, entry.price + (entry.side === 'buy' ? -20 : 20));
        return [place, deeper];
      }
      default:
        return [place, fill(volume)];
    }
  }
}

/** What belongs to the entry alone. */
const NOTHING = {
  clientOrderId: '',
  visibleVolume: undefined,
  expireTime: undefined,
} as unknown as Partial<OrderTerms>;
