// Draws one command after the other. It learns what is live from the outcomes it is shown, so that
// most commands make sense, and spoils a share of them so that every refusal is met as well.

import { LIMITS } from '../src/command.ts';
import type { Amend, Command, OrderTerms, Phase, Side } from '../src/command.ts';
import type { Order, Outcome } from '../src/outcome.ts';
import { Random } from './random.ts';
import { clampAmount, drawWorld, genesis, usualAmount } from './world.ts';
import type { MarketPlan, Operation, World } from './world.ts';

const PHASES: Phase[] = ['pre_open', 'post_only', 'cancel_only', 'halted'];

interface Seen {
  best: { buy: Map<number, number>; sell: Map<number, number> };
  last: number;
  phase: Phase;
}

/** What names a movement of money, or nothing for other commands. */
function moneyKey(command: Command): string {
  switch (command.type) {
    case 'credit_deposit':
      return `deposit ${command.network} ${command.depositId}`;
    case 'request_withdrawal':
      return `withdrawal ${command.withdrawalId}`;
    case 'transfer':
      return `transfer ${command.transferId}`;
    case 'adjust':
      return `adjust ${command.adjustmentId}`;
    default:
      return '';
  }
}

export class Workload {
  readonly world: World;
  readonly #r: Random;
  #time = 1_760_000_000_000;
  #seq = 0;
  #serial = 0;
  readonly #live = new Map<number, Order>();
  #liveIds: number[] = [];
  readonly #gone: Array<{ orderId: number; account: number; clientOrderId: string }> = [];
  readonly #sent: Array<{ account: number; terms: OrderTerms }> = [];
  readonly #seen = new Map<string, Seen>();
  readonly #withdrawals: string[] = [];
  readonly #money: Command[] = [];
  /** When each client id and each movement of money was first honoured. */
  readonly #honoured = new Map<string, number>();
  #last: Command | undefined;
  readonly #dues = new Set<number>();
  readonly #pending: Command[];

  constructor(seed: bigint) {
    this.#r = new Random(seed);
    this.world = drawWorld(this.#r);
    this.#pending = genesis(this.world, this.#r, this.#time);
    for (const { config } of this.world.markets) {
      this.#seen.set(config.symbol, {
        best: { buy: new Map(), sell: new Map() },
        last: 0,
        phase: 'pre_open',
      });
    }
  }

  next(): Command {
    this.#last = this.#nextCommand();
    return this.#last;
  }

  #nextCommand(): Command {
    const first = this.#pending.shift();
    if (first !== undefined) return first;
    const r = this.#r;
    if (r.chance(0.02)) this.#time = this.#nearDue();
    else if (r.chance(this.world.longSteps)) this.#time += r.logBetween(1_000, 400_000);
    else if (this.world.stepMs > 0 && r.chance(0.7)) this.#time += r.below(this.world.stepMs + 1);
    return this.#draw(this.#operation());
  }

  /** The next moment at which something falls due, or the millisecond before or after it. */
  #nearDue(): number {
    let next = Infinity;
    for (const due of this.#dues) {
      if (due <= this.#time) this.#dues.delete(due);
      else next = Math.min(next, due);
    }
    if (next > this.#time + 300_000) return this.#time;
    return Math.max(this.#time, next + this.#r.pick([-1, 0, 0, 1]));
  }

  /** Learns from what the command did. */
  observe(outcome: Outcome): void {
    if (outcome.result.kind === 'moved' && !outcome.result.replay && this.#last !== undefined) {
      const key = moneyKey(this.#last);
      if (key !== '') this.#honoured.set(key, outcome.steps.at(-1)?.engineSeq ?? 0);
    }
    for (const step of outcome.steps) {
      this.#seq = step.engineSeq;
      for (const order of step.orders) this.#learn(order);
      for (const trade of step.trades) this.#market(trade.symbol).last = trade.priceTicks;
      for (const phase of step.phases) {
        this.#market(phase.symbol).phase = phase.phase;
        this.#dues.add(phase.until);
      }
      for (const timer of step.timers) this.#dues.add(timer.triggerTime);
      for (const book of step.books) {
        const { best } = this.#market(book.symbol);
        for (const { side, priceTicks, lots } of book.levels) {
          if (lots === 0) best[side].delete(priceTicks);
          else best[side].set(priceTicks, lots);
        }
      }
      for (const config of step.markets) {
        const plan = this.world.markets.find((m) => m.config.symbol === config.symbol);
        if (plan === undefined || plan.config.quotePrecision === config.quotePrecision) {
          if (plan !== undefined) plan.config = config;
          continue;
        }
        // Prices are counted in other units now, so what was learned is worth nothing.
        plan.config = config;
        const seen = this.#market(config.symbol);
        seen.last = 0;
        seen.best.buy.clear();
        seen.best.sell.clear();
      }
      for (const w of step.withdrawals) {
        if (w.status === 'pending') this.#withdrawals.push(w.withdrawalId);
      }
    }
  }

  #market(symbol: string): Seen {
    const seen = this.#seen.get(symbol);
    if (seen === undefined) throw new Error(`the workload knows no market ${symbol}`);
    return seen;
  }

  #learn(order: Order): void {
    const isLive = ['pending', 'open', 'partially_filled'].includes(order.status);
    const { orderId, account, clientOrderId } = order;
    const key = `${account}|${clientOrderId}`;
    if (clientOrderId !== '' && !this.#honoured.has(key)) this.#honoured.set(key, order.engineSeq);
    if (isLive) {
      if (order.expireTime > 0) this.#dues.add(order.expireTime);
      if (!this.#live.has(orderId)) this.#liveIds.push(orderId);
      this.#live.set(orderId, order);
      return;
    }
    this.#live.delete(orderId);
    this.#gone.push({ orderId, account, clientOrderId });
    if (this.#gone.length > 500) this.#gone.shift();
    if (this.#liveIds.length > 2 * this.#live.size + 50) {
      this.#liveIds = this.#liveIds.filter((id) => this.#live.has(id));
    }
  }

  #operation(): Operation {
    // Without a bound on what rests, the slow twin would spend its time on long lists.
    if (this.#live.size > 400 && this.#r.chance(0.5)) {
      return this.#r.chance(0.1) ? 'cancel_all' : 'cancel';
    }
    if (this.#live.size < this.world.depth && this.#r.chance(0.3)) return 'limit';
    const { weights } = this.world;
    const sum = weights.reduce((total, [, weight]) => total + weight, 0);
    let at = this.#r.below(1_000_000) * (sum / 1_000_000);
    for (const [op, weight] of weights) {
      if (at < weight) return op;
      at -= weight;
    }
    return 'limit';
  }

  #checkpoint(): number {
    return this.#r.chance(0.9) ? this.#seq : this.#r.below(this.#seq + 1);
  }

  /**
   * A caller that repeats itself has not seen its first attempt in the projection, or it would not
   * ask: the projection it looked at ends before that attempt.
   */
  #blindCheckpoint(key: string): number {
    const seq = this.#honoured.get(key);
    if (seq === undefined) return this.#checkpoint();
    return this.#r.chance(0.8) ? seq - 1 : this.#r.below(seq);
  }

  #account(): number {
    const { accounts } = this.world;
    return this.#r.chance(0.002) ? 5 : this.#r.pick(accounts);
  }

  #draw(op: Operation): Command {
    const r = this.#r;
    const time = this.#time;
    const checkpoint = this.#checkpoint();
    switch (op) {
      case 'limit':
      case 'market':
      case 'conditional':
      case 'immediate': {
        const account = this.#account();
        return { type: 'place', time, account, order: this.#terms(op, account), checkpoint };
      }
      case 'batch': {
        const account = this.#account();
        const orders = Array.from(
          { length: r.chance(0.03) ? r.pick([0, 21]) : r.between(1, 6) },
          () =>
            this.#terms(r.pick(['limit', 'limit', 'market', 'conditional', 'immediate']), account),
        );
        const mode = r.chance(0.5) ? 'independent' : 'all_or_none';
        return { type: 'place_batch', time, account, mode, orders, checkpoint };
      }
      case 'test': {
        const account = this.#account();
        const kind = r.pick(['limit', 'market', 'conditional', 'immediate'] as const);
        return { type: 'test', time, account, order: this.#terms(kind, account) };
      }
      case 'repeat':
        return this.#repeat();
      case 'cancel':
        return this.#cancel();
      case 'cancel_batch': {
        const account = this.#account();
        const length = r.chance(0.03) ? r.pick([0, 51]) : r.between(1, 6);
        const mine = [...this.#live.values()].filter((o) => o.account === account);
        const orders = Array.from({ length }, () => {
          if (mine.length > 0 && r.chance(0.8)) return this.#ref(r.pick(mine));
          return this.#gone.length > 0 ? this.#ref(r.pick(this.#gone)) : { orderId: 5 };
        });
        const reason = r.pick(['user', 'disconnect', 'admin'] as const);
        return { type: 'cancel_batch', time, account, orders, reason };
      }
      case 'cancel_all': {
        const command: Command = { type: 'cancel_all', time, account: this.#account() };
        if (r.chance(0.5)) command.symbol = this.#symbol();
        if (r.chance(0.4)) command.side = this.#side();
        if (r.chance(0.2)) command.reason = r.pick(['cancel_all', 'admin', 'disconnect'] as const);
        return command;
      }
      case 'dead_man': {
        const timeoutMs = r.chance(0.15)
          ? r.pick([1, 4_999, 300_001, -5, 6_000.5])
          : r.pick([0, 5_000, 5_000, 10_000, 300_000]);
        return { type: 'cancel_all_after', time, account: this.#account(), timeoutMs };
      }
      case 'amend':
        return this.#amend();
      case 'tick':
        return { type: 'tick', time };
      case 'nonsense':
        return this.#nonsense();
      default:
        return this.#operate(op);
    }
  }

  #symbol(): string {
    return this.#r.chance(0.01) ? 'nosuch' : this.#r.pick(this.world.markets).config.symbol;
  }

  #side(): Side {
    return this.#r.chance(0.5) ? 'buy' : 'sell';
  }

  #ref(order: { orderId: number; clientOrderId: string }): {
    orderId?: number;
    clientOrderId?: string;
  } {
    return order.clientOrderId !== '' && this.#r.chance(0.5)
      ? { clientOrderId: order.clientOrderId }
      : { orderId: order.orderId };
  }

  #best(plan: MarketPlan, side: Side): number | undefined {
    const prices = [...this.#market(plan.config.symbol).best[side].keys()];
    if (prices.length === 0) return undefined;
    return side === 'buy' ? Math.max(...prices) : Math.min(...prices);
  }

  /** A price for the side: through the other side of the book, or some ticks behind the own one. */
  #price(plan: MarketPlan, side: Side): number {
    const r = this.#r;
    const sign = side === 'buy' ? 1 : -1;
    const distance = r.chance(0.2) ? 0 : r.below(plan.usualTicks + 1);
    const other = this.#best(plan, side === 'buy' ? 'sell' : 'buy');
    const own = this.#best(plan, side);
    const last = this.#market(plan.config.symbol).last || plan.config.listingPriceTicks;
    let price: number;
    const crossing = this.world.crossing * (this.#live.size < this.world.depth ? 0.3 : 1);
    if (other !== undefined && r.chance(crossing)) price = other + sign * distance;
    else if (own !== undefined && r.chance(0.7)) price = own - sign * (distance - r.below(3));
    else price = last - sign * distance;
    if (r.chance(0.01)) price = this.#edgePrice(plan, side, last);
    return Math.max(1, Math.min(LIMITS.ticksMax, price));
  }

  /** Exactly on the edge of the band, and one tick beyond it. */
  #edgePrice(plan: MarketPlan, side: Side, last: number): number {
    const ppm = BigInt(plan.config.priceBandPpm);
    const edge =
      side === 'buy'
        ? (BigInt(last) * (1_000_000n + ppm)) / 1_000_000n
        : (BigInt(last) * (1_000_000n - ppm) + 999_999n) / 1_000_000n;
    return Number(edge) + this.#r.between(-1, 1);
  }

  #lots(plan: MarketPlan): number {
    const r = this.#r;
    const { minimumVolumeLots, maximumVolumeLots, minimumQuoteSize } = plan.config;
    if (r.chance(0.02)) return r.pick([1, maximumVolumeLots, minimumVolumeLots]);
    const unit = 10n ** BigInt(18 - plan.config.basePrecision - plan.config.quotePrecision);
    const price = BigInt(this.#market(plan.config.symbol).last || plan.config.listingPriceTicks);
    const enough = Number(minimumQuoteSize / (price * unit)) + 1;
    const low = r.chance(0.05) ? 1 : Math.max(minimumVolumeLots, enough);
    return Math.max(1, Math.min(maximumVolumeLots, r.logBetween(low, plan.usualLots * 3)));
  }

  #liveOrder(): Order | undefined {
    for (let tries = 0; tries < 8 && this.#liveIds.length > 0; tries++) {
      const found = this.#live.get(this.#r.pick(this.#liveIds));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #clientId(): string {
    this.#serial += 1;
    return `c-${this.#serial}${this.#r.chance(0.1) ? '/a.long_one:with-all.sorts_' : ''}`;
  }

  #terms(op: 'limit' | 'market' | 'conditional' | 'immediate', account: number): OrderTerms {
    const r = this.#r;
    const { world } = this;
    const open = world.markets.filter((m) => this.#market(m.config.symbol).phase === 'continuous');
    const plan = r.pick(open.length > 0 && r.chance(0.95) ? open : world.markets);
    const { config } = plan;
    let side = this.#side();
    if (op === 'market' && r.chance(0.9)) {
      if (this.#best(plan, side === 'buy' ? 'sell' : 'buy') === undefined) {
        side = side === 'buy' ? 'sell' : 'buy';
      }
    }
    const terms: OrderTerms = {
      symbol: config.symbol,
      side,
      type: 'limit',
      priceDecimals: config.quotePrecision,
      volumeDecimals: config.basePrecision,
    };
    const isLimit = op === 'limit' || op === 'immediate' || (op === 'conditional' && r.chance(0.5));
    if (op === 'conditional') {
      terms.type = r.pick(
        isLimit ? ['stop_limit', 'take_profit_limit'] : ['stop_market', 'take_profit_market'],
      );
      const last = this.#market(config.symbol).last || config.listingPriceTicks;
      const away = r.chance(0.1) ? -r.below(3) : r.logBetween(1, plan.usualTicks + 1);
      const rises = terms.type.startsWith('stop') === (side === 'buy');
      terms.stopPrice = Math.max(1, rises ? last + away : last - away);
    } else if (!isLimit) terms.type = 'market';
    if (isLimit) {
      terms.price = this.#price(plan, side);
      terms.volume = this.#lots(plan);
      if (op === 'immediate' || (op === 'conditional' && r.chance(0.2))) {
        terms.timeInForce = r.pick(['IOC', 'FOK']);
      } else {
        if (r.chance(world.gtd)) {
          terms.timeInForce = 'GTD';
          const ahead = r.chance(0.02)
            ? r.pick([4_999, LIMITS.gtdAheadMaxMs + 1, LIMITS.gtdAheadMaxMs])
            : r.logBetween(5_000, 100_000);
          terms.expireTime = this.#time + ahead;
          // Several orders due in the same millisecond must expire in the order they came.
          if (ahead >= 5_000 && r.chance(0.5)) {
            terms.expireTime = Math.ceil(terms.expireTime / 100_000) * 100_000;
          }
        } else if (r.chance(0.3)) terms.timeInForce = 'GTC';
        if (r.chance(op === 'conditional' ? 0.3 : world.postOnly)) terms.postOnly = true;
        if (r.chance(world.iceberg)) {
          terms.visibleVolume = Math.max(
            1,
            Math.ceil(terms.volume / r.between(1, config.icebergParts + 1)),
          );
        }
      }
    } else if (side === 'sell' || (op === 'market' && r.chance(0.4))) {
      terms.volume = this.#lots(plan);
    } else {
      const value = usualAmount(config, plan.usualLots, config.quote);
      terms.total = clampAmount((value * BigInt(r.logBetween(1, 300))) / 50n);
    }
    if (r.chance(0.7)) terms.stpMode = r.pick(world.stpModes);
    if (r.chance(world.clientIds)) terms.clientOrderId = this.#clientId();
    if (r.chance(0.1)) this.#rewrite(terms);
    if (r.chance(world.invalid)) this.#spoil(terms, plan);
    if (terms.clientOrderId !== undefined) {
      this.#sent.push({ account, terms });
      if (this.#sent.length > 200) this.#sent.shift();
    }
    return terms;
  }

  /** The same numbers with other decimals: trailing zeros taken off, or added. */
  #rewrite(terms: OrderTerms): void {
    const shift = (value: number | undefined, by: number): number | undefined =>
      value === undefined ? undefined : by > 0 ? value * 10 ** by : value / 10 ** -by;
    const by = this.#r.pick([-1, 1, 2]);
    const price = shift(terms.price, by);
    const stop = shift(terms.stopPrice, by);
    const decimals = (terms.priceDecimals ?? 0) + by;
    const fits = (n: number | undefined): boolean => n === undefined || Number.isSafeInteger(n);
    if (decimals >= 0 && decimals <= 18 && fits(price) && fits(stop)) {
      terms.priceDecimals = decimals;
      if (price !== undefined) terms.price = price;
      if (stop !== undefined) terms.stopPrice = stop;
    }
  }

  /** Breaks one rule. */
  #spoil(terms: OrderTerms, plan: MarketPlan): void {
    const r = this.#r;
    const t = terms as unknown as Record<string, unknown>;
    const spoilers: Array<() => void> = [
      () => void delete t['price'],
      () => void delete t['volume'],
      () => void delete t['total'],
      () => void delete t['stopPrice'],
      () => (t['price'] = r.pick([0, -5, 1.5, 1e300, 9e15, NaN])),
      () => (t['volume'] = r.pick([0, -5, 0.5, 1e300, 9e15])),
      () => (t['total'] = r.pick([0n, -1n, 10n ** 37n, 1n])),
      () => (t['stopPrice'] = r.pick([0, 1, 9e14])),
      () => (t['visibleVolume'] = r.pick([1, 9e14, 0])),
      () => (t['priceDecimals'] = (terms.priceDecimals ?? 0) + 1),
      () => (t['volumeDecimals'] = (terms.volumeDecimals ?? 0) + 1),
      () => (t['timeInForce'] = r.pick(['GTC', 'IOC', 'FOK', 'GTD', 'DAY'])),
      () => (t['expireTime'] = this.#time + r.pick([1, 10_000])),
      () => (t['postOnly'] = true),
      () => (t['side'] = 'hold'),
      () => (t['type'] = 'trailing_stop'),
      () => (t['stpMode'] = 'none'),
      () => (t['symbol'] = 'nosuch'),
      () => (t['clientOrderId'] = r.pick(['a b', 'x'.repeat(37), 'naïve', '💰'])),
      () => {
        if (terms.price !== undefined)
          t['price'] = this.#edgePrice(plan, terms.side, terms.price) * 3;
      },
      () => {
        if (terms.volume !== undefined) t['volume'] = plan.config.maximumVolumeLots + 1;
      },
    ];
    r.pick(spoilers)();
  }

  #repeat(): Command {
    const r = this.#r;
    const time = this.#time;
    if (this.#money.length > 0 && r.chance(0.2)) {
      const again = { ...r.pick(this.#money), time };
      if ('checkpoint' in again) again.checkpoint = this.#blindCheckpoint(moneyKey(again));
      if ('amount' in again && r.chance(0.3)) again.amount += 1n;
      return again;
    }
    if (this.#sent.length === 0) return { type: 'tick', time };
    const { account, terms } = r.pick(this.#sent);
    const order = { ...terms };
    if (r.chance(0.3)) {
      const change = r.pick([
        () => (order.volume = (order.volume ?? 0) + 1),
        () => (order.side = order.side === 'buy' ? 'sell' : 'buy'),
        () => (order.price = (order.price ?? 0) + 1),
        () => (order.postOnly = order.postOnly !== true),
        () => (order.stpMode = order.stpMode === 'decrement' ? 'expire_taker' : 'decrement'),
        () => (order.total = (order.total ?? 0n) + 1n),
        () => (order.visibleVolume = (order.visibleVolume ?? 0) + 1),
      ]);
      change();
    } else this.#rewrite(order);
    const checkpoint = this.#blindCheckpoint(`${account}|${terms.clientOrderId ?? ''}`);
    return { type: 'place', time, account, order, checkpoint };
  }

  #cancel(): Command {
    const r = this.#r;
    const time = this.#time;
    const kind = r.below(100);
    const live = this.#liveOrder();
    if (live === undefined && kind < 70) return this.#draw('limit');
    if (live !== undefined && kind < 88) {
      const isForeign = kind >= 80;
      const account = isForeign ? this.#account() : live.account;
      const command: Command = { type: 'cancel', time, account, ...this.#ref(live) };
      if (r.chance(0.1)) command.symbol = this.#symbol();
      if (r.chance(0.15)) command.onlyIf = r.pick(['open', 'partially_filled'] as const);
      if (r.chance(0.2)) command.reason = r.pick(['user', 'disconnect', 'admin'] as const);
      return command;
    }
    if (this.#gone.length > 0 && kind < 97) {
      const gone = r.pick(this.#gone);
      return { type: 'cancel', time, account: gone.account, ...this.#ref(gone) };
    }
    return { type: 'cancel', time, account: this.#account(), orderId: r.below(1e6) };
  }

  #amend(): Command {
    const r = this.#r;
    const time = this.#time;
    const live = this.#liveOrder();
    if (live === undefined || r.chance(0.05)) {
      const gone = this.#gone.at(-1) ?? { account: this.#account(), orderId: 3, clientOrderId: '' };
      return { type: 'amend', time, account: gone.account, ...this.#ref(gone), volume: 1 };
    }
    const plan = this.world.markets.find((m) => m.config.symbol === live.symbol);
    if (plan === undefined) throw new Error('the workload lost a market');
    const amend: Amend = {
      type: 'amend',
      time,
      account: live.account,
      ...this.#ref(live),
      priceDecimals: live.priceDecimals,
      volumeDecimals: live.volumeDecimals,
    };
    if (r.chance(0.5)) {
      const filled = live.filledVolume + live.preventedVolume;
      amend.volume = r.pick([
        Math.max(1, filled),
        Math.max(1, live.volume - r.logBetween(1, plan.usualLots)),
        live.volume + r.logBetween(1, plan.usualLots),
        Math.max(1, Math.floor(live.volume / 2)),
        live.volume,
      ]);
    }
    const isMarket = live.type.endsWith('market');
    if (r.chance(isMarket ? 0.05 : 0.4)) amend.price = this.#price(plan, live.side);
    if (r.chance(live.status === 'pending' ? 0.4 : 0.03)) {
      amend.stopPrice = Math.max(1, live.stopPrice + r.between(-5, 5));
    }
    if (r.chance(live.visibleVolume > 0 ? 0.3 : 0.05)) {
      amend.visibleVolume = Math.max(1, Math.ceil(live.volume / r.between(1, 8)));
    }
    if (r.chance(this.world.invalid)) {
      r.pick([
        () => (amend.price = r.pick([0, -1, 9e15, 1.5])),
        () => (amend.volume = r.pick([0, 9e15, -1])),
        () => (amend.priceDecimals = live.priceDecimals + 1),
        () => (amend.volumeDecimals = live.volumeDecimals + 1),
        () => (amend.account = 5),
      ])();
    }
    return amend;
  }

  #moved(command: Command): Command {
    this.#money.push(command);
    if (this.#money.length > 60) this.#money.shift();
    return command;
  }

  #operate(op: Operation): Command {
    const r = this.#r;
    const { world } = this;
    const time = this.#time;
    const checkpoint = this.#checkpoint();
    const plan = r.pick(world.markets);
    const coin = r.chance(0.02) ? 'nocoin' : r.pick([plan.config.base, plan.config.quote]);
    const network = r.chance(0.02) ? 'NOWHERE' : r.pick(world.networks);
    const usual = usualAmount(plan.config, plan.usualLots, coin);
    const amount = r.chance(0.03)
      ? r.pick([0n, -1n, 10n ** 36n, 10n ** 37n])
      : (usual * BigInt(r.logBetween(1, 1000))) / 100n + BigInt(r.below(1000));
    this.#serial += 1;
    const id = `m${this.#serial}`;
    switch (op) {
      case 'deposit': {
        const to = r.chance(0.1) ? r.pick(['suspense', 'adjustments'] as const) : this.#account();
        return this.#moved({
          type: 'credit_deposit',
          time,
          depositId: id,
          network,
          coin,
          to,
          amount,
          checkpoint,
        });
      }
      case 'withdraw': {
        if (this.#withdrawals.length > 0 && r.chance(0.55)) {
          const withdrawalId = r.chance(0.03) ? 'never' : r.pick(this.#withdrawals.slice(-40));
          const type = r.pick(['settle_withdrawal', 'cancel_withdrawal'] as const);
          return { type, time, withdrawalId };
        }
        const fee = r.chance(0.05) ? amount + 1n : r.chance(0.3) ? 0n : amount / 100n;
        return this.#moved({
          type: 'request_withdrawal',
          time,
          withdrawalId: id,
          account: this.#account(),
          coin,
          network,
          amount,
          fee,
          checkpoint,
        });
      }
      case 'transfer':
        return this.#moved({
          type: 'transfer',
          time,
          transferId: id,
          from: this.#account(),
          to: this.#account(),
          coin,
          amount: amount / 10n,
          checkpoint,
        });
      case 'adjust': {
        const owners = ['fees', 'suspense', 'adjustments'] as const;
        const owner = (): number | (typeof owners)[number] =>
          r.chance(0.6) ? r.pick(owners) : this.#account();
        return this.#moved({
          type: 'adjust',
          time,
          adjustmentId: id,
          from: owner(),
          to: owner(),
          coin,
          amount: r.chance(0.5) ? BigInt(r.logBetween(1, 1e6)) : amount / 100n,
          checkpoint,
        });
      }
      case 'phase': {
        const symbol = this.#symbol();
        const isOpen = this.#seen.get(symbol)?.phase === 'continuous';
        if (!isOpen && r.chance(0.9))
          return { type: 'set_phase', time, symbol, phase: 'continuous' };
        const phase = r.chance(0.1) ? 'auction' : r.chance(0.006) ? 'delisted' : r.pick(PHASES);
        // A market should not stay shut for long, or the rest of the run is refusals.
        this.#pending.push(
          ...Array.from({ length: r.below(8) }, () =>
            this.#draw(r.pick(['limit', 'cancel', 'amend'])),
          ),
          { type: 'set_phase', time: this.#time, symbol, phase: 'continuous' },
        );
        return { type: 'set_phase', time, symbol, phase };
      }
      case 'configure':
        return this.#configure(plan, time);
      case 'fees': {
        const tier = r.chance(0.05) ? 9999 : r.below(5);
        if (r.chance(0.5)) return { type: 'set_fee_tier', time, account: this.#account(), tier };
        const takerPpm = r.chance(0.03) ? 100_001 : r.pick([0, 1_500, 777, 99_999]);
        const makerPpm = r.chance(0.03) ? -100_001 : r.pick([0, 1_000, -777, -2_000, 50_000]);
        return { type: 'define_fee_tier', time, tier, makerPpm, takerPpm };
      }
      case 'accounts': {
        const account = this.#account();
        if (r.chance(0.3)) {
          const fresh = r.chance(0.2) ? account : 100_000 + this.#serial;
          return {
            type: 'open_account',
            time,
            account: fresh,
            parent: r.chance(0.5) ? fresh : this.#account(),
          };
        }
        this.#pending.push(
          ...Array.from({ length: r.below(3) }, (): Command => {
            const order = this.#terms('limit', account);
            return { type: 'place', time: this.#time, account, order, checkpoint };
          }),
          {
            type: 'suspend_account',
            time: this.#time,
            account,
            suspended: false,
            cancelOrders: false,
          },
        );
        return {
          type: 'suspend_account',
          time,
          account,
          suspended: true,
          cancelOrders: r.chance(0.5),
        };
      }
      default:
        return { type: 'tick', time };
    }
  }

  #configure(plan: MarketPlan, time: number): Command {
    const r = this.#r;
    const config = { ...plan.config };
    const change = r.pick([
      () => (config.priceBandPpm = r.pick([10_000, 100_000, 500_000])),
      () => (config.marketSlippagePpm = r.pick([0, 10_000, 100_000])),
      () => (config.haltPpm = r.pick([0, 30_000, 100_000])),
      () => (config.maxOpenOrders = r.pick([1, 5, 100])),
      () => (config.icebergParts = r.pick([1, 3, 20])),
      () => (config.defaultStpMode = r.pick(['decrement', 'expire_maker', 'expire_taker'])),
      () => (config.basePrecision += r.pick([-1, 1])),
      () => {
        config.quotePrecision += 1;
        config.minimumPriceTicks *= 10;
        config.maximumPriceTicks = Math.min(LIMITS.ticksMax, config.maximumPriceTicks * 10);
        config.listingPriceTicks *= 10;
      },
      () => (config.quotePrecision -= 1),
      () => (config.quotePrecision = 19),
      () => (config.maximumVolumeLots = 0),
      () => (config.base = 'other'),
      () => (config.symbol = 'nosuch'),
    ]);
    change();
    return { type: r.chance(0.1) ? 'create_market' : 'configure_market', time, config };
  }

  /** Commands that are wrong as a whole. */
  #nonsense(): Command {
    const r = this.#r;
    const time = this.#time;
    const choices: Array<() => Command> = [
      () => ({ type: 'list_coin', time, coin: r.pick(['UPPER', '', 'btc']), networks: ['FOUR'] }),
      () => ({ type: 'open_account', time, account: r.pick([0, -1, 1.5]), parent: 1 }),
      () => ({ type: 'cancel', time, account: this.#account() }),
      () => ({ type: 'cancel', time, account: this.#account(), clientOrderId: 'not permitted!' }),
      () => ({ type: 'amend', time, account: this.#account(), orderId: 1e15 + 1 }),
      () => ({ type: 'set_phase', time, symbol: this.#symbol(), phase: 'auction' }),
      () => ({ type: 'settle_withdrawal', time, withdrawalId: 'never' }),
      () => {
        const live = [...this.#live.values()][0];
        if (live === undefined) return { type: 'tick', time };
        return { type: 'amend', time, account: live.account, orderId: live.orderId };
      },
      () => {
        const from = this.#account();
        return {
          type: 'transfer',
          time,
          transferId: `self${this.#serial++}`,
          from,
          to: from,
          coin: 'btc',
          amount: 1n,
        };
      },
      () => {
        const account = this.#account();
        const order = this.#terms('limit', account);
        this.#spoil(order, r.pick(this.world.markets));
        return { type: 'place', time, account, order, checkpoint: this.#checkpoint() };
      },
    ];
    return r.pick(choices)();
  }
}
