// Draws one command after the other. It learns from the outcomes which orders are live, so most
// commands make sense, and it spoils a share of them so that every refusal occurs too.

import { LIMITS } from '../src/command.ts';
import type { Command } from '../src/command.ts';
import type { Outcome } from '../src/outcome.ts';
import { Random } from './random.ts';
import { AuctionDrawer } from './workload/auctions.ts';
import {
  drawAmend,
  drawCancel,
  drawCancelAll,
  drawCancelBatch,
  drawRepeat,
} from './workload/changes.ts';
import { drawCustody } from './workload/custody.ts';
import { Hand, type Draw } from './workload/hand.ts';
import { ListDrawer } from './workload/lists.ts';
import { drawNonsense } from './workload/nonsense.ts';
import { drawOperating } from './workload/operating.ts';
import { Replacing } from './workload/replacing.ts';
import { drawTrails } from './workload/trails.ts';
import { drawWorld, genesis } from './world.ts';
import type { Operation, World } from './world.ts';

export class Workload {
  readonly world: World;
  readonly #hand: Hand;
  readonly #replacing: Replacing;
  readonly #lists: ListDrawer;
  readonly #auctions: AuctionDrawer;
  #last: Command | undefined;
  #count = 0;
  /** May a sweep be under way? The engine continues one whenever there is one. */
  #isSweeping = false;

  constructor(seed: bigint) {
    const r = new Random(seed);
    this.world = drawWorld(r);
    const hand = new Hand(r, this.world);
    this.#hand = hand;
    this.#replacing = new Replacing(r, hand.observed, hand.terms, {
      ref: (order) => hand.ref(order),
      account: () => hand.account(),
      checkpoint: (key) => hand.checkpointOf(key),
    });
    this.#lists = new ListDrawer(r, hand.terms);
    this.#auctions = new AuctionDrawer(r, hand.observed, hand.terms);
    hand.pending.push(...genesis(this.world, r, hand.time));
  }

  /** Learns from what the last command did. */
  observe(outcome: Outcome): void {
    const hand = this.#hand;
    hand.observed.observe(this.#last, outcome);
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
    const hand = this.#hand;
    this.#count += 1;
    const { beginning, upgradeAfter, upgradeTo } = this.world;
    if (beginning.rules < upgradeTo && this.#count === upgradeAfter) {
      return this.#upgrade(upgradeTo);
    }
    const first = hand.pending.shift();
    if (first !== undefined) return first;
    const { r } = hand;
    if (this.#isSweeping && r.chance(0.2)) return { type: 'sweep', time: hand.time };
    const before = hand.time;
    if (r.chance(0.02)) hand.time = hand.observed.nearDue(r, hand.time);
    else if (r.chance(this.world.longSteps)) hand.time += r.logBetween(1_000, 400_000);
    else if (this.world.stepMs > 0 && r.chance(0.7)) hand.time += r.below(this.world.stepMs + 1);
    // After a large step of time more may be due than one command fires. Orders that come then must
    // not match expired ones.
    if (hand.time > before + 1_000 && r.chance(0.5)) {
      return this.#draw(r.pick(['market', 'immediate', 'amend', 'test'] as const));
    }
    return this.#draw(this.#operation());
  }

  #operation(): Operation {
    const hand = this.#hand;
    // Without a limit on resting orders, the slow twin would spend its time on long lists.
    if (hand.observed.live.size > 400 && hand.r.chance(0.5)) {
      return hand.r.chance(0.1) ? 'cancel_all' : 'cancel';
    }
    if (hand.observed.live.size < this.world.depth && hand.r.chance(0.3)) return 'limit';
    const { weights } = this.world;
    const sum = weights.reduce((total, [, weight]) => total + weight, 0);
    let at = hand.r.below(1_000_000) * (sum / 1_000_000);
    for (const [op, weight] of weights) {
      if (at < weight) return op;
      at -= weight;
    }
    return 'limit';
  }

  #draw(op: Operation): Command {
    const hand = this.#hand;
    const draw: Draw = (other) => this.#draw(other);
    const { r, time } = hand;
    const checkpoint = hand.checkpoint();
    switch (op) {
      case 'limit':
      case 'market':
      case 'conditional':
      case 'immediate': {
        const account = hand.account();
        return { type: 'place', time, account, order: hand.terms.terms(op, account), checkpoint };
      }
      case 'batch': {
        const account = hand.account();
        const orders = Array.from(
          { length: r.chance(0.03) ? r.pick([0, 21]) : r.between(1, 6) },
          () =>
            hand.terms.terms(
              r.pick(['limit', 'limit', 'market', 'conditional', 'immediate']),
              account,
            ),
        );
        const mode = r.chance(0.5) ? 'independent' : 'all_or_none';
        return { type: 'place_batch', time, account, mode, orders, checkpoint };
      }
      case 'test': {
        const account = hand.account();
        const kind = r.pick(['limit', 'market', 'conditional', 'immediate'] as const);
        return { type: 'test', time, account, order: hand.terms.terms(kind, account) };
      }
      case 'repeat':
        return drawRepeat(hand);
      case 'cancel':
        return drawCancel(hand, draw);
      case 'cancel_batch':
        return drawCancelBatch(hand);
      case 'cancel_all':
        return drawCancelAll(hand, checkpoint, draw);
      case 'dead_man': {
        const timeoutMs = r.chance(0.15)
          ? r.pick([1, 4_999, 300_001, -5, 6_000.5])
          : r.pick([0, 5_000, 5_000, 10_000, 300_000]);
        return { type: 'cancel_all_after', time, account: hand.account(), timeoutMs };
      }
      case 'amend':
        return drawAmend(hand, this.#replacing);
      case 'replace':
        return this.#replace();
      case 'fee_tiers':
        return this.#replacing.feeTiers(time);
      case 'amend_often': {
        hand.pending.push(...this.#replacing.amendOften(time));
        return hand.pending.shift() ?? { type: 'tick', time };
      }
      case 'list': {
        const drawn = this.#lists.next(time, hand.account(), (key) => hand.checkpointOf(key));
        hand.pending.push(...drawn.slice(1));
        return drawn[0] ?? { type: 'tick', time };
      }
      case 'tick':
        return { type: 'tick', time };
      case 'nonsense':
        return drawNonsense(hand);
      case 'cancel_market': {
        const command: Command = { type: 'cancel_market', time, symbol: hand.symbol() };
        if (r.chance(0.6)) command.side = hand.side();
        if (r.chance(0.3)) command.reason = 'admin';
        // Everything that is forbidden during a sweep.
        hand.pending.push(
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
          ({ config }) => hand.observed.market(config.symbol).phase === 'continuous',
        );
        const plan = r.pick(open.length > 0 ? open : this.world.markets);
        const drawn = drawTrails(r, hand.terms, plan, () => hand.account());
        hand.pending.push(
          ...drawn.map((one): Command =>
            one.type === 'place' ? { ...one, time, checkpoint } : { ...one, time },
          ),
        );
        return hand.pending.shift() ?? { type: 'tick', time };
      }
      case 'auction': {
        const { commands, time: end } = this.#auctions.draw(
          r.pick(this.world.markets),
          time,
          checkpoint,
        );
        hand.pending.push(...commands);
        hand.time = end;
        return hand.pending.shift() ?? { type: 'tick', time };
      }
      case 'custody': {
        const drawn = drawCustody(r, hand.observed, {
          money: hand.money,
          account: () => hand.account(),
          serial: () => (hand.terms.serial += 1),
        });
        hand.pending.push(
          ...drawn.map((one): Command =>
            one.type === 'suspend_account'
              ? { ...one, time }
              : hand.moved(hand.unseen({ ...one, time, checkpoint })),
          ),
        );
        return hand.pending.shift() ?? { type: 'tick', time };
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
        return drawOperating(hand, op, draw);
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
    const hand = this.#hand;
    const { r } = hand;
    const due = hand.time + LIMITS.gtdAheadMinMs + r.below(3);
    const command = (op: Operation): Command => {
      const drawn = this.#draw(op);
      if (drawn.type !== 'place' || drawn.order.price === undefined) return drawn;
      drawn.order.timeInForce = 'GTD';
      drawn.order.expireTime = due;
      return drawn;
    };
    const length = r.between(4, 25);
    hand.pending.push(
      ...Array.from({ length }, () => command(r.chance(0.9) ? 'limit' : 'conditional')),
    );
    hand.time = due;
    const takers = ['market', 'market', 'immediate', 'limit', 'test', 'amend'] as const;
    hand.pending.push(
      ...Array.from({ length: r.between(3, 12) }, () => this.#draw(r.pick(takers))),
    );
    return hand.pending.shift() ?? { type: 'tick', time: due };
  }

  #upgrade(version: number): Command {
    const hand = this.#hand;
    const { r } = hand;
    // A waiting command may have been drawn for an earlier time than the latest one.
    const time = hand.pending[0]?.time ?? hand.time;
    const digits = Array.from({ length: 32 }, () => r.below(16).toString(16)).join('');
    const isFirst = this.#count === this.world.upgradeAfter;
    const { money } = this.world;
    // The older rules did not know this command, so it did nothing before the upgrade.
    if (isFirst && this.world.beginning.rules === 1 && money !== '')
      hand.pending.unshift({ type: 'set_money', time, money });
    // Nor what the terms of a market say of auctions.
    if (isFirst && version >= 4) {
      for (const { config } of this.world.markets) {
        const auctionSeconds = r.pick([0, 1, 10, 60]);
        hand.pending.unshift({
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

  /** Some callers lose the answer and send the replacement again at once. */
  #replace(): Command {
    const hand = this.#hand;
    const command = this.#replacing.replace(hand.time);
    if (hand.r.chance(0.5)) hand.pending.push(this.#replacing.repeat(command));
    return command;
  }
}
