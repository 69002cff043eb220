// Draws replacements, the ids of amendments, and the tiers of whole families.

import type { Amend, Command, OrderTerms, Replace, SetFeeTiers } from '../../src/command.ts';
import type { Observed } from '../observed.ts';
import type { Random } from '../random.ts';
import type { TermsDrawer } from '../terms.ts';

const SENT_MAX = 40;
type Ref = Pick<Replace, 'orderId' | 'clientOrderId'>;

/** What the workload lends: the id of a live order, and an account as any other command has it. */
export interface Lent {
  ref: (order: { orderId: number; clientOrderId: string }) => Ref;
  account: () => number;
  checkpoint: (key: string) => number;
}

export class Replacing {
  readonly #r: Random;
  readonly #observed: Observed;
  readonly #terms: TermsDrawer;
  readonly #lent: Lent;
  readonly #amended: Amend[] = [];
  readonly #replaced: Replace[] = [];
  #serial = 0;

  constructor(r: Random, observed: Observed, terms: TermsDrawer, lent: Lent) {
    this.#r = r;
    this.#observed = observed;
    this.#terms = terms;
    this.#lent = lent;
  }

  /** Gives an amendment an id, or sends an earlier one again, with other terms now and then. */
  name(amend: Amend): Amend {
    const r = this.#r;
    if (this.#amended.length > 0 && r.chance(0.25)) {
      // Mostly recent ones, whose orders are still known.
      const again: Amend = { ...r.pick(this.#amended.slice(-6)), time: amend.time };
      if (r.chance(0.35)) {
        r.pick([
          () => (again.volume = (again.volume ?? 0) + 1),
          () => (again.price = (again.price ?? 0) + 1),
          () => delete again.volume,
          () => (again.visibleVolume = r.pick([1, 1.5, -1])),
          () => (again.priceDecimals = (again.priceDecimals ?? 0) + 1),
        ])();
      } else if (again.volume !== undefined && again.volume < 1e14 && r.chance(0.3)) {
        // The same number written with one more decimal.
        again.volume *= 10;
        again.volumeDecimals = (again.volumeDecimals ?? 0) + 1;
        if (again.visibleVolume !== undefined) again.visibleVolume *= 10;
      }
      return again;
    }
    if (r.chance(0.4)) return amend;
    this.#serial += 1;
    // Few ids for some orders, so that one id meets several amendments of an order.
    const id = r.chance(0.2) ? `a${this.#serial % 3}` : `n.${this.#serial}`;
    const amendId = r.chance(0.02) ? r.pick(['', 'not permitted!', 'x'.repeat(37)]) : id;
    const named = { ...amend, amendId };
    this.#amended.push(named);
    if (this.#amended.length > SENT_MAX) this.#amended.shift();
    return named;
  }

  /** Amends one order so often that the first ids are forgotten, and sends them again. */
  amendOften(time: number): Command[] {
    const r = this.#r;
    const order = this.#observed.liveOrder(r);
    if (order === undefined || order.volume < 50) return [];
    this.#serial += 1;
    const all = Array.from({ length: r.between(14, 20) }, (_, i): Amend => ({
      type: 'amend',
      time,
      account: order.account,
      ...this.#lent.ref(order),
      volume: order.volume - i - 1,
      volumeDecimals: order.volumeDecimals,
      amendId: `o${this.#serial}.${i}`,
    }));
    return [...all, ...all.slice(0, 6), all.at(-1)!];
  }

  replace(time: number): Replace {
    const r = this.#r;
    if (this.#replaced.length > 0 && r.chance(0.25)) return this.#again(time);
    const live = this.#observed.liveOrder(r);
    const gone = this.#observed.gone.at(-1 - r.below(3));
    const old = live === undefined || r.chance(0.15) ? (gone ?? live) : live;
    const isForeign = old === undefined || r.chance(0.05);
    const account = isForeign ? this.#lent.account() : old.account;
    const kind = r.pick(['limit', 'limit', 'limit', 'market', 'immediate', 'conditional'] as const);
    const order: OrderTerms = this.#terms.terms(kind, account);
    this.#serial += 1;
    if (order.clientOrderId === undefined && r.chance(0.5)) {
      order.clientOrderId = `r.${this.#serial}`;
    }
    const ref: Ref = old === undefined ? { orderId: 4 } : this.#lent.ref(old);
    const mode = r.chance(0.01)
      ? ('whatever' as 'allow_failure')
      : r.pick(['stop_on_failure', 'allow_failure'] as const);
    const checkpoint = this.#lent.checkpoint('');
    const command: Replace = { type: 'replace', time, account, ...ref, mode, order, checkpoint };
    if (order.clientOrderId !== undefined) this.#replaced.push(command);
    if (this.#replaced.length > SENT_MAX) this.#replaced.shift();
    return command;
  }

  /** The same again, at times with another order to cancel, which must then stay. */
  repeat(first: Replace): Replace {
    const again: Replace = { ...first, order: { ...first.order } };
    const mine = [...this.#observed.live.values()].filter(
      ({ account, orderId }) => account === first.account && orderId !== first.orderId,
    );
    if (mine.length === 0 || this.#r.chance(0.6)) return again;
    delete again.clientOrderId;
    again.orderId = this.#r.pick(mine).orderId;
    return again;
  }

  #again(time: number): Replace {
    const r = this.#r;
    const first = r.pick(this.#replaced);
    const again = { ...this.repeat(first), time };
    if (r.chance(0.2)) again.order.volume = (again.order.volume ?? 0) + 1;
    again.checkpoint = this.#lent.checkpoint(`${first.account}|${first.order.clientOrderId ?? ''}`);
    return again;
  }

  feeTiers(time: number): SetFeeTiers {
    const r = this.#r;
    const { accounts, parents } = this.#observed.world;
    const heads = accounts.filter((account) => parents.get(account) === account);
    const length = r.chance(0.02) ? r.pick([0, 1_001]) : r.between(1, Math.min(6, heads.length));
    const rest = [...heads];
    const tiers = Array.from({ length }, () => {
      const [account = r.pick(accounts)] = rest.splice(r.below(rest.length), 1);
      return { account, tier: r.below(4) };
    });
    const last = tiers.at(-1);
    if (last !== undefined && r.chance(0.1)) {
      r.pick([
        () => (last.tier = 9999),
        () => (last.account = 5),
        () => (last.account = r.pick(accounts)),
        () => tiers.push({ ...last }),
      ])();
    }
    const day = r.chance(0.02) ? r.pick([-1, 1.5]) : 20_000 + r.below(500);
    return { type: 'set_fee_tiers', time, day, tiers };
  }
}
