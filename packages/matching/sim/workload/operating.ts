// Draws what operators and custody ask for: money in and out, phases and terms of markets, fees and accounts.

import { LIMITS } from '../../src/command.ts';
import type { Command, Money, Phase } from '../../src/command.ts';
import { usualAmount } from '../world.ts';
import type { MarketPlan, Operation } from '../world.ts';
import type { Draw, Hand } from './hand.ts';

const PHASES: Phase[] = ['pre_open', 'post_only', 'cancel_only', 'halted'];

export function drawOperating(hand: Hand, op: Operation, draw: Draw): Command {
  const { r, time, world } = hand;
  const checkpoint = hand.checkpoint();
  const plan = r.pick(world.markets);
  const coin = r.chance(0.02) ? 'nocoin' : r.pick([plan.config.base, plan.config.quote]);
  const network = r.chance(0.04) ? r.pick(['NOWHERE', world.foreign]) : r.pick(world.networks);
  const usual = usualAmount(plan.config, plan.usualLots, coin);
  const amount = r.chance(0.03)
    ? r.pick([0n, -1n, 10n ** 36n, 10n ** 37n])
    : (usual * BigInt(r.logBetween(1, 1000))) / 100n + BigInt(r.below(1000));
  hand.terms.serial += 1;
  const id = `m${hand.terms.serial}`;
  switch (op) {
    case 'deposit': {
      const to = r.chance(0.1) ? r.pick(['suspense', 'adjustments'] as const) : hand.account();
      return hand.moved({
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
      if (hand.observed.withdrawals.length > 0 && r.chance(0.55)) {
        const withdrawalId = r.chance(0.03)
          ? 'never'
          : r.pick(hand.observed.withdrawals.slice(-40));
        const type = r.pick(['settle_withdrawal', 'cancel_withdrawal'] as const);
        return r.chance(0.8)
          ? { type, time, withdrawalId, checkpoint }
          : { type, time, withdrawalId };
      }
      const fee = r.chance(0.05) ? amount + 1n : r.chance(0.3) ? 0n : amount / 100n;
      return hand.moved({
        type: 'request_withdrawal',
        time,
        withdrawalId: id,
        account: hand.account(),
        coin,
        network,
        amount,
        fee,
        checkpoint,
      });
    }
    case 'transfer':
      return hand.moved({
        type: 'transfer',
        time,
        transferId: id,
        from: hand.account(),
        to: hand.account(),
        coin,
        amount: amount / 10n,
        checkpoint,
      });
    case 'adjust': {
      const owners = ['fees', 'suspense', 'adjustments', 'capital'] as const;
      const owner = (): number | (typeof owners)[number] =>
        r.chance(0.6) ? r.pick(owners) : hand.account();
      return hand.moved({
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
      return hand.moved({
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
      const symbol = hand.symbol();
      const isOpen = hand.observed.seen.get(symbol)?.phase === 'continuous';
      if (!isOpen && r.chance(0.9)) return { type: 'set_phase', time, symbol, phase: 'continuous' };
      const phase = r.chance(0.1) ? 'auction' : r.chance(0.03) ? 'delisted' : r.pick(PHASES);
      // A market must not stay closed for long, or the rest of the run is refusals.
      hand.pending.push(
        ...Array.from({ length: r.below(8) }, () => draw(r.pick(['limit', 'cancel', 'amend']))),
        { type: 'set_phase', time: hand.time, symbol, phase: 'continuous' },
      );
      return { type: 'set_phase', time, symbol, phase };
    }
    case 'configure':
      return drawConfiguration(hand, plan, time);
    case 'fees': {
      const tier = r.chance(0.05) ? 9999 : r.below(5);
      if (r.chance(0.5)) return { type: 'set_fee_tier', time, account: hand.account(), tier };
      const takerPpm = r.chance(0.03) ? 100_001 : r.pick([0, 1_500, 777, 99_999]);
      const makerPpm = r.chance(0.03) ? -100_001 : r.pick([0, 1_000, -777, -2_000, 50_000]);
      return { type: 'define_fee_tier', time, tier, makerPpm, takerPpm };
    }
    case 'accounts': {
      const account = hand.account();
      if (r.chance(0.2)) {
        return { type: 'set_memory', time, memory: r.pick([0, 1, 10, 50, 300, 3000]) };
      }
      if (r.chance(0.3)) {
        const fresh = r.chance(0.2) ? account : 100_000 + hand.terms.serial;
        return {
          type: 'open_account',
          time,
          account: fresh,
          parent: r.chance(0.5) ? fresh : hand.account(),
        };
      }
      hand.pending.push(
        ...Array.from({ length: r.below(3) }, (): Command => {
          const order = hand.terms.terms('limit', account);
          return { type: 'place', time: hand.time, account, order, checkpoint };
        }),
        {
          type: 'suspend_account',
          time: hand.time,
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
      hand.pending.unshift(suspension);
      return { type: 'cancel_all_after', time, account, timeoutMs: 300_000 };
    }
    default:
      return { type: 'tick', time };
  }
}

function drawConfiguration(hand: Hand, plan: MarketPlan, time: number): Command {
  const { r } = hand;
  const config = { ...plan.config };
  // Older rules forgot it.
  if (config.auctionSeconds === undefined && r.chance(0.7)) config.auctionSeconds = r.pick([1, 30]);
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
