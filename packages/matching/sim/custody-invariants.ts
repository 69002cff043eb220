// What must hold of custody whatever the twin says: it never holds less than nothing, and a reversal takes exactly
// what is there, from those who may be asked, once.

import type { Outcome, Posting, ReversalChange, Step } from '../src/outcome.ts';

const NETWORK_OWNER = 'custody:';

export class CustodyInvariants {
  /** What is available, by owner and coin. */
  readonly #available = new Map<string, bigint>();
  /** What all other owners have of a coin, in all buckets. */
  readonly #owned = new Map<string, bigint>();
  readonly #reversed = new Set<string>();

  /** The first broken invariant, in words. */
  check({ steps }: Outcome): string | undefined {
    for (const step of steps) {
      const found = this.#checkStep(step);
      if (found !== undefined) return `step ${step.engineSeq}: ${found}`;
    }
    return undefined;
  }

  #checkStep(step: Step): string | undefined {
    for (const { kind, reference } of step.journals) {
      const isTold = step.reversals.some(({ reversalId }) => reversalId === reference);
      if (kind === 'reversal' && !isTold) return `the reversal ${reference} says nothing of itself`;
    }
    for (const change of step.reversals) {
      const found = this.#checkReversal(step, change);
      if (found !== undefined) return `reversal ${change.reversalId} ${found}`;
    }
    const coins = new Set<string>();
    for (const { postings } of step.journals) {
      for (const posting of postings) {
        this.#post(posting);
        if (isCustody(posting)) coins.add(posting.coin);
      }
    }
    for (const coin of coins) {
      let custody = 0n;
      for (const [key, amount] of this.#available) {
        const [owner, of] = key.split('|');
        if (of === coin && owner?.startsWith(NETWORK_OWNER) === true) custody += amount;
      }
      if (custody > 0n) return `custody owes ${custody} ${coin}`;
      if (custody + (this.#owned.get(coin) ?? 0n) !== 0n) return `${coin} was made from nothing`;
    }
    return undefined;
  }

  #post(posting: Posting): void {
    const { owner, coin, bucket, amount, after } = posting;
    if (bucket === 'available') this.#available.set(`${owner}|${coin}`, after);
    if (!isCustody(posting)) this.#owned.set(coin, (this.#owned.get(coin) ?? 0n) + amount);
  }

  #checkReversal(step: Step, change: ReversalChange): string | undefined {
    const { reversalId, account, coin, network, amount, missing, cover } = change;
    if (this.#reversed.has(reversalId)) return 'was made twice';
    this.#reversed.add(reversalId);
    const postings =
      step.journals.find((one) => one.kind === 'reversal' && one.reference === reversalId)
        ?.postings ?? [];
    const paid = (owner: number | string): bigint =>
      -(postings.find((one) => one.owner === owner)?.amount ?? 0n);
    const has = (owner: number | string): bigint => this.#available.get(`${owner}|${coin}`) ?? 0n;
    const taken = -paid(`custody:${network}`);
    if (missing < 0n || taken + missing !== amount) return `took ${taken} and misses ${missing}`;
    const mayCover = cover && account !== 'adjustments';
    const payers = mayCover ? [account, 'adjustments'] : [account];
    const isForeign = postings.some(
      (one) => !isCustody(one) && (one.coin !== coin || !payers.includes(one.owner)),
    );
    if (isForeign) return 'took from somebody else';
    if (mayCover && paid('adjustments') > 0n && paid(account) < has(account))
      return 'was covered although the account had more';
    for (const payer of payers) {
      if (missing > 0n && paid(payer) < has(payer)) return `misses what ${payer} has`;
    }
    return undefined;
  }
}

const isCustody = ({ owner }: Posting): boolean =>
  typeof owner === 'string' && owner.startsWith(NETWORK_OWNER);
