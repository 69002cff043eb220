// Draws one command after the other. It learns from the outcomes which orders are live, so most
// commands make sense, and it spoils a share of them so that every refusal occurs too.

import { LIMITS } from '../src/command.ts';
import type { Amend, Command, Money, Phase, Side } from '../src/command.ts';
import type { Outcome } from '../src/outcome.ts';
import { ListDrawer } from './workload/lists.ts';
import { AuctionDrawer } from './workload/auctions.ts';
import { Observed, moneyKey } from './observed.ts';
import { Random } from './random.ts';
import { drawCustody } from './workload/custody.ts';
import { Replacing } from './workload/replacing.ts';
import { TermsDrawer } from './terms.ts';
import { drawTrails } from './workload/trails.ts';
import { drawWorld, genesis, usualAmount } from './world.ts';
import type { MarketPlan, Operation, World } from './world.ts';

const PHASES: Phase[] = ['pre_open', 'post_only', 'cancel_only', 'halted'];

export class Workload {
  readonly world: World;
  readonly #r: Random;
  readonly #observed: Observed;
  readonly #terms: TermsDrawer;
  readonly #replacing: Replacing;
  readonly #lists: ListDrawer;
  readonly #auctions: AuctionDrawer;
  #now = 1_760_000_000_000;
  readonly #money: Command[] = [];
  readonly #pending: Command[];
  #last: Command | undefined;
  #count = 0;
  /** May a sweep be under way? The engine continues one whenever there is one. */
  #isSweeping = false;

  constructor(seed: bigint) {
    this.#r = new Random(seed);
    this.world = drawWorld(this.#r);
    this.#observed = new Observed(this.world);
    this.#terms = new TermsDrawer(this.#r, this.#observed);
    this.#replacing = new Replacing(this.#r, this.#observed, this.#terms, {
      ref: (order) => this.#ref(order),
      account: () => this.#account(),
      checkpoint: (key) => (key === '' ? this.#checkpoint() : this.#blindCheckpoint(key)),
    });
    this.#lists = new ListDrawer(this.#r, this.#terms);
    this.#auctions = new AuctionDrawer(this.#r, this.#observed, this.#terms);
    this.#time = this.#now;
    this.#pending = genesis(this.world, this.#r, this.#now);
  }

  get #time(): number {
    return this.#now;
  }

  set #time(time: number) {
    this.#now = time;
    this.#terms.time = time;
  }

  /** Learns from what the last command did. */
  observe(outcome: Outcome): void {
    this.#observed.observe(this.#last, outcome);
    const { result } = outcome;
    if (this.#last?.type === 'sweep') this.#isSweeping = result.kind === 'swept';
    else if (result.kind === 'canceled_all') this.#isSweeping ||= result.sweepId > 0;
    else this.#isSweeping ||= outcome.steps.some(({ orders }) => orders.length > 3);
  }

  next(): Command {
    this.#last = this.#nextCommand();
    return this.#last;
  }

  #nextCommand(): Command {
    this.#count += 1;
    const { beginning, upgradeAfter, upgradeTo } = this.world;
    if (beginning.rules < upgradeTo && this.#count === upgradeAfter) {
      return this.#upgrade(upgradeTo);
    }
    const first = this.#pending.shift();
    if (first !== undefined) return first;
    const r = this.#r;
    if (this.#isSweeping && r.chance(0.2)) return { type: 'sweep', time: this.#time };
    const before = this.#time;
    if (r.chance(0.02)) this.#time = this.#observed.nearDue(r, this.#time);
    else if (r.chance(this.world.longSteps)) this.#time += r.logBetween(1_000, 400_000);
    else if (this.world.stepMs > 0 && r.chance(0.7)) this.#time += r.below(this.world.stepMs + 1);
    // After a large step of time more may be due than one command fires. Orders that come then must
    // not match expired ones.
    if (this.#time > before + 1_000 && r.chance(0.5)) {
      return this.#draw(r.pick(['market', 'immediate', 'amend', 'test'] as const));
    }
    return this.#draw(this.#operation());
  }

  #operation(): Operation {
    // Without a limit on resting orders, the slow twin would spend its time on long lists.
    if (this.#observed.live.size > 400 && this.#r.chance(0.5)) {
      return this.#r.chance(0.1) ? 'cancel_all' : 'cancel';
    }
    if (this.#observed.live.size < this.world.depth && this.#r.chance(0.3)) return 'limit';
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
    return this.#r.chance(0.9) ? this.#observed.seq : this.#r.below(this.#observed.seq + 1);
  }

  /**
   * A caller that repeats a command has not seen its first attempt in the projection, or it would
   * not ask. So the projection it looked at ends before that attempt.
   */
  #blindCheckpoint(key: string): number {
    const seq = this.#observed.honoured.get(key);
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
        return { type: 'place', time, account, order: this.#terms.terms(op, account), checkpoint };
      }
      case 'batch': {
        const account = this.#account();
        const orders = Array.from(
          { length: r.chance(0.03) ? r.pick([0, 21]) : r.between(1, 6) },
          () =>
            this.#terms.terms(
              r.pick(['limit', 'limit', 'market', 'conditional', 'immediate']),
              account,
            ),
        );
        const mode = r.chance(0.5) ? 'independent' : 'all_or_none';
        return { type: 'place_batch', time, account, mode, orders, checkpoint };
      }
      case 'test': {
        const account = this.#account();
        const kind = r.pick(['limit', 'market', 'conditional', 'immediate'] as const);
        return { type: 'test', time, account, order: this.#terms.terms(kind, account) };
      }
      case 'repeat':
        return this.#repeat();
      case 'cancel':
        return this.#cancel();
      case 'cancel_batch': {
        const account = this.#account();
        const length = r.chance(0.03) ? r.pick([0, 51]) : r.between(1, 6);
        const mine = [...this.#observed.live.values()].filter((o) => o.account === account);
        const orders = Array.from({ length }, () => {
          if (mine.length > 0 && r.chance(0.8)) return this.#ref(r.pick(mine));
          return this.#observed.gone.length > 0
            ? this.#ref(r.pick(this.#observed.gone))
            : { orderId: 5 };
        });
        const reason = r.pick(['user', 'disconnect', 'admin'] as const);
        return { type: 'cancel_batch', time, account, orders, reason };
      }
      case 'cancel_all': {
        const owner = r.chance(0.8) ? this.#observed.liveOrder(r)?.account : undefined;
        const account = owner ?? this.#account();
        const command: Command = { type: 'cancel_all', time, account };
        if (r.chance(0.4)) command.symbol = this.#symbol();
        if (r.chance(0.5)) command.side = this.#side();
        // Orders come and go during the sweep.
        const others = ['limit', 'cancel', 'amend', 'sweep'] as const;
        if (r.chance(0.2)) command.reason = r.pick(['cancel_all', 'admin', 'disconnect'] as const);
        if (r.chance(0.4)) return command;
        const orders = Array.from({ length: r.between(4, 16) }, () =>
          this.#terms.terms('limit', account),
        );
        const before = orders.map((order): Command => ({
          type: 'place',
          time,
          account,
          order,
          checkpoint,
        }));
        // This includes the order that the sweep would look at next.
        const after = Array.from({ length: r.below(8) }, (): Command => {
          const { clientOrderId } = r.pick(orders);
          if (clientOrderId === undefined || r.chance(0.3)) return this.#draw(r.pick(others));
          return { type: 'cancel', time, account, clientOrderId };
        });
        this.#pending.push(...before, command, ...after);
        return this.#pending.shift() ?? command;
      }
      case 'dead_man': {
        const timeoutMs = r.chance(0.15)
          ? r.pick([1, 4_999, 300_001, -5, 6_000.5])
          : r.pick([0, 5_000, 5_000, 10_000, 300_000]);
        return { type: 'cancel_all_after', time, account: this.#account(), timeoutMs };
      }
      case 'amend':
        return this.#amend();
      case 'replace':
        return this.#replace();
      case 'fee_tiers':
        return this.#replacing.feeTiers(time);
      case 'amend_often': {
        this.#pending.push(...this.#replacing.amendOften(time));
        return this.#pending.shift() ?? { type: 'tick', time };
      }
      case 'list': {
        const drawn = this.#lists.next(time, this.#account(), (key) =>
          key === '' ? this.#checkpoint() : this.#blindCheckpoint(key),
        );
        this.#pending.push(...drawn.slice(1));
        return drawn[0] ?? { type: 'tick', time };
      }
      case 'tick':
        return { type: 'tick', time };
      case 'nonsense':
        return this.#nonsense();
      case 'cancel_market': {
        const command: Command = { type: 'cancel_market', time, symbol: this.#symbol() };
        if (r.chance(0.6)) command.side = this.#side();
        if (r.chance(0.3)) command.reason = 'admin';
        // Everything that is forbidden during a sweep.
        this.#pending.push(
          ...Array.from({ length: r.below(6) }, () =>
            this.#draw(r.pick(['limit', 'amend', 'cancel', 'sweep', 'phase', 'configure'])),
          ),
        );
        return command;
      }
      case 'expiries':
        return this.#expire();
      case 'trails': {
        const open = this.world.markets.filter(
          ({ config }) => this.#observed.market(config.symbol).phase === 'continuous',
        );
        const plan = r.pick(open.length > 0 ? open : this.world.markets);
        const drawn = drawTrails(r, this.#terms, plan, () => this.#account());
        this.#pending.push(
          ...drawn.map((one): Command =>
            one.type === 'place' ? { ...one, time, checkpoint } : { ...one, time },
          ),
        );
        return this.#pending.shift() ?? { type: 'tick', time };
      }
      case 'auction': {
        const { commands, time: end } = this.#auctions.draw(
          r.pick(this.world.markets),
          time,
          checkpoint,
        );
        this.#pending.push(...commands);
        this.#time = end;
        return this.#pending.shift() ?? { type: 'tick', time };
      }
      case 'custody': {
        const drawn = drawCustody(r, this.#observed, {
          money: this.#money,
          account: () => this.#account(),
          serial: () => (this.#terms.serial += 1),
        });
        this.#pending.push(
          ...drawn.map((one): Command =>
            one.type === 'suspend_account'
              ? { ...one, time }
              : this.#moved(this.#unseen({ ...one, time, checkpoint })),
          ),
        );
        return this.#pending.shift() ?? { type: 'tick', time };
      }
      case 'sweep':
        return { type: 'sweep', time };
      case 'upgrade': {
        const upgradeAgain = 2 + (this.#count % 4);
        // Before its time it is refused, or it comes as a journal may contain it: with the wrong
        // version or key.
        return this.#upgrade(
          this.#isUpgraded && r.chance(0.5) ? upgradeAgain : r.pick([0, 1, 6, 1.5]),
        );
      }
      case 'unknown':
        return { type: r.pick(['place_oco', '', 'sweeps']), time } as unknown as Command;
      default:
        return this.#operate(op);
    }
  }

  get #isUpgraded(): boolean {
    const { beginning, upgradeAfter } = this.world;
    return beginning.rules >= 2 || this.#count > upgradeAfter;
  }

  /**
   * Several orders that expire at the same moment, followed by orders that would have matched them.
   */
  #expire(): Command {
    const r = this.#r;
    const due = this.#time + LIMITS.gtdAheadMinMs + r.below(3);
    const command = (op: Operation): Command => {
      const drawn = this.#draw(op);
      if (drawn.type !== 'place' || drawn.order.price === undefined) return drawn;
      drawn.order.timeInForce = 'GTD';
      drawn.order.expireTime = due;
      return drawn;
    };
    const length = r.between(4, 25);
    this.#pending.push(
      ...Array.from({ length }, () => command(r.chance(0.9) ? 'limit' : 'conditional')),
    );
    this.#time = due;
    const takers = ['market', 'market', 'immediate', 'limit', 'test', 'amend'] as const;
    this.#pending.push(
      ...Array.from({ length: r.between(3, 12) }, () => this.#draw(r.pick(takers))),
    );
    return this.#pending.shift() ?? { type: 'tick', time: due };
  }

  #upgrade(version: number): Command {
    const r = this.#r;
    // A waiting command may have been drawn for an earlier time than the latest one.
    const time = this.#pending[0]?.time ?? this.#time;
    const digits = Array.from({ length: 32 }, () => r.below(16).toString(16)).join('');
    const isFirst = this.#count === this.world.upgradeAfter;
    const { money } = this.world;
    // The older rules did not know this command, so it did nothing before the upgrade.
    if (isFirst && this.world.beginning.rules === 1 && money !== '')
      this.#pending.unshift({ type: 'set_money', time, money });
    // Nor what the terms of a market say of auctions.
    if (isFirst && version >= 4) {
      for (const { config } of this.world.markets) {
        const auctionSeconds = r.pick([0, 1, 10, 60]);
        this.#pending.unshift({
          type: 'configure_market',
          time,
          config: { ...config, auctionSeconds },
        });
      }
    }
    const spoiled = r.pick([digits.slice(1), `${digits}0`, digits.replace(/./, 'G'), '']);
    const hashKey = !isFirst && r.chance(0.3) ? spoiled : digits;
    return { type: 'upgrade', time, version, hashKey };
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

  #repeat(): Command {
    const r = this.#r;
    const time = this.#time;
    if (this.#money.length > 0 && r.chance(0.2)) {
      const again = { ...r.pick(this.#money), time };
      if ('checkpoint' in again) again.checkpoint = this.#blindCheckpoint(moneyKey(again));
      if ('amount' in again && r.chance(0.3)) again.amount += 1n;
      return again;
    }
    if (this.#terms.sent.length === 0) return { type: 'tick', time };
    const trails = this.#terms.sent.filter(({ terms }) => terms.type === 'trailing_stop');
    const { account, terms } = r.pick(
      trails.length > 0 && r.chance(0.3) ? trails : this.#terms.sent,
    );
    const order = { ...terms };
    if (r.chance(0.3)) {
      const change = r.pick([
        () => (order.volume = (order.volume ?? 0) + 1),
        () => (order.side = order.side === 'buy' ? 'sell' : 'buy'),
        () => (order.price = (order.price ?? 0) + 1),
        () => (order.postOnly = order.postOnly !== true),
        () => (order.stpMode = order.stpMode === 'decrement' ? 'expire_taker' : 'decrement'),
        () => (order.total = (order.total ?? 0n) + 1n),
        () => (order.trailingDelta = (order.trailingDelta ?? 0) + 1),
        () => (order.visibleVolume = (order.visibleVolume ?? 0) + 1),
      ]);
      change();
    } else this.#terms.rewrite(order);
    const checkpoint = this.#blindCheckpoint(`${account}|${terms.clientOrderId ?? ''}`);
    return { type: 'place', time, account, order, checkpoint };
  }

  #cancel(): Command {
    const r = this.#r;
    const time = this.#time;
    const kind = r.below(100);
    const live = this.#observed.liveOrder(r);
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
    if (this.#observed.gone.length > 0 && kind < 97) {
      const gone = r.pick(this.#observed.gone);
      return { type: 'cancel', time, account: gone.account, ...this.#ref(gone) };
    }
    return { type: 'cancel', time, account: this.#account(), orderId: r.below(1e6) };
  }

  /** Some callers lose the answer and send the replacement again at once. */
  #replace(): Command {
    const command = this.#replacing.replace(this.#time);
    if (this.#r.chance(0.5)) this.#pending.push(this.#replacing.repeat(command));
    return command;
  }

  #amend(): Command {
    const r = this.#r;
    const time = this.#time;
    const live = this.#observed.liveOrder(r);
    if (live === undefined || r.chance(0.05)) {
      const gone = this.#observed.gone.at(-1) ?? {
        account: this.#account(),
        orderId: 3,
        clientOrderId: '',
      };
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
    const isMarket = live.price === 0;
    if (r.chance(isMarket ? 0.05 : 0.4)) amend.price = this.#terms.price(plan, live.side);
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
    return this.#replacing.name(amend);
  }

  /** Two stories of a deposit may draw the same part, and then the second one is a repetition. */
  #unseen<C extends Command & { checkpoint: number }>(command: C): C {
    const key = moneyKey(command);
    return this.#observed.honoured.has(key)
      ? { ...command, checkpoint: this.#blindCheckpoint(key) }
      : command;
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
    const network = r.chance(0.04) ? r.pick(['NOWHERE', world.foreign]) : r.pick(world.networks);
    const usual = usualAmount(plan.config, plan.usualLots, coin);
    const amount = r.chance(0.03)
      ? r.pick([0n, -1n, 10n ** 36n, 10n ** 37n])
      : (usual * BigInt(r.logBetween(1, 1000))) / 100n + BigInt(r.below(1000));
    this.#terms.serial += 1;
    const id = `m${this.#terms.serial}`;
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
        if (this.#observed.withdrawals.length > 0 && r.chance(0.55)) {
          const withdrawalId = r.chance(0.03)
            ? 'never'
            : r.pick(this.#observed.withdrawals.slice(-40));
          const type = r.pick(['settle_withdrawal', 'cancel_withdrawal'] as const);
          return r.chance(0.8)
            ? { type, time, withdrawalId, checkpoint }
            : { type, time, withdrawalId };
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
        const owners = ['fees', 'suspense', 'adjustments', 'capital'] as const;
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
      case 'capital':
        return this.#moved({
          type: r.pick(['contribute_capital', 'contribute_capital', 'withdraw_capital'] as const),
          time,
          contributionId: id,
          coin,
          network,
          amount,
          checkpoint,
        });
      case 'money': {
        const others: Money[] = world.money === '' ? ['real'] : ['real', 'simulated'];
        const money = r.chance(0.1) ? ('play' as Money) : r.pick(others);
        return { type: 'set_money', time, money };
      }
      case 'phase': {
        const symbol = this.#symbol();
        const isOpen = this.#observed.seen.get(symbol)?.phase === 'continuous';
        if (!isOpen && r.chance(0.9))
          return { type: 'set_phase', time, symbol, phase: 'continuous' };
        const phase = r.chance(0.1) ? 'auction' : r.chance(0.03) ? 'delisted' : r.pick(PHASES);
        // A market must not stay closed for long, or the rest of the run is refusals.
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
        if (r.chance(0.2)) {
          return { type: 'set_memory', time, memory: r.pick([0, 1, 10, 50, 300, 3000]) };
        }
        if (r.chance(0.3)) {
          const fresh = r.chance(0.2) ? account : 100_000 + this.#terms.serial;
          return {
            type: 'open_account',
            time,
            account: fresh,
            parent: r.chance(0.5) ? fresh : this.#account(),
          };
        }
        this.#pending.push(
          ...Array.from({ length: r.below(3) }, (): Command => {
            const order = this.#terms.terms('limit', account);
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
        const suspension: Command = {
          type: 'suspend_account',
          time,
          account,
          suspended: true,
          cancelOrders: r.chance(0.5),
        };
        if (r.chance(0.5)) return suspension;
        this.#pending.unshift(suspension);
        return { type: 'cancel_all_after', time, account, timeoutMs: 300_000 };
      }
      default:
        return { type: 'tick', time };
    }
  }

  #configure(plan: MarketPlan, time: number): Command {
    const r = this.#r;
    const config = { ...plan.config };
    // Older rules forgot it.
    if (config.auctionSeconds === undefined && r.chance(0.7))
      config.auctionSeconds = r.pick([1, 30]);
    const change = r.pick([
      () => (config.priceBandPpm = r.pick([10_000, 100_000, 500_000])),
      () => (config.marketSlippagePpm = r.pick([0, 10_000, 100_000])),
      () => (config.haltPpm = r.pick([0, 30_000, 100_000])),
      () => (config.maxOpenOrders = r.pick([1, 5, 100])),
      () => (config.icebergParts = r.pick([1, 3, 20])),
      () => (config.auctionSeconds = r.pick([0, 1, 10, 86_400, 86_401, -1, 1.5])),
      () => delete config.auctionSeconds,
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
      () => ({
        type: 'list_coin',
        time,
        coin: r.pick(['UPPER', '', 'btc']),
        networks: [r.pick(['FOUR', this.world.foreign])],
      }),
      () => ({ type: 'open_account', time, account: r.pick([0, -1, 1.5]), parent: 1 }),
      () => ({ type: 'cancel', time, account: this.#account() }),
      () => ({ type: 'cancel', time, account: this.#account(), clientOrderId: 'not permitted!' }),
      () => ({ type: 'amend', time, account: this.#account(), orderId: 1e15 + 1 }),
      () => ({ type: 'set_phase', time, symbol: this.#symbol(), phase: 'auction' }),
      () => ({
        type: 'settle_withdrawal',
        time,
        withdrawalId: 'never',
        checkpoint: this.#checkpoint(),
      }),
      () => {
        const live = [...this.#observed.live.values()][0];
        if (live === undefined) return { type: 'tick', time };
        return { type: 'amend', time, account: live.account, orderId: live.orderId };
      },
      () => {
        const from = this.#account();
        return {
          type: 'transfer',
          time,
          transferId: `self${this.#terms.serial++}`,
          from,
          to: from,
          coin: 'btc',
          amount: 1n,
        };
      },
      () => {
        const account = this.#account();
        const order = this.#terms.terms('limit', account);
        this.#terms.spoil(order, r.pick(this.world.markets));
        return { type: 'place', time, account, order, checkpoint: this.#checkpoint() };
      },
    ];
    return r.pick(choices)();
  }
}
