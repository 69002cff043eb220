// Counts the cases that occurred, so that a run that never met a case does not count as a proof of
// it.

import type { Command } from '../src/command.ts';
import { LIST_CASES, findListCases } from './cases/lists.ts';
import { CAUSES, REASONS, STATUSES, STPS, TIMES_IN_FORCE, TYPES } from '../src/names.ts';
import { REJECTIONS } from '../src/outcome.ts';
import type { Outcome, Result } from '../src/outcome.ts';
import { TRAILING_CASES, TrailingCoverage } from './cases/trailing.ts';
import { AUCTION_CASES, AuctionCases } from './cases/auctions.ts';
import { CUSTODY_CASES, CustodyCases } from './cases/custody.ts';

const EXPECTED: readonly string[] = [
  ...[
    'list_coin',
    'open_account',
    'define_fee_tier',
    'set_fee_tier',
    'suspend_account',
    'set_memory',
    'credit_deposit',
    'request_withdrawal',
    'settle_withdrawal',
    'cancel_withdrawal',
    'transfer',
    'adjust',
    'contribute_capital',
    'withdraw_capital',
    'set_money',
    'create_market',
    'configure_market',
    'set_phase',
    'place',
    'place_batch',
    'test',
    'cancel',
    'cancel_batch',
    'cancel_all',
    'cancel_all_after',
    'amend',
    'tick',
    'cancel_market',
    'sweep',
    'upgrade',
    'set_fee_tiers',
    'replace',
    'place_list',
    'reverse_deposit',
    'book_chain_cost',
  ].map((type) => `command ${type}`),
  ...TYPES.map((type) => `type ${type}`),
  'type market by total',
  'type market buy by volume',
  'type iceberg',
  'type post-only',
  ...TIMES_IN_FORCE.map((tif) => `tif ${tif}`),
  ...STPS.flatMap((mode) => [`stp ${mode}`, `prevented ${mode}`]),
  ...STATUSES.map((status) => `status ${status}`),
  ...REASONS.filter((reason) => reason !== '').map((reason) => `reason ${reason}`),
  ...CAUSES.map((cause) => `step ${cause}`),
  ...[
    'done',
    'placed',
    'replay',
    'lookup_again',
    'batch',
    'batch_rejected',
    'tested',
    'canceled',
    'canceled_all',
    'amended',
    'amended in place',
    'amended again',
    'replaced',
    'replaced again',
    'replaced in part',
    'not replaced',
    'timer',
    'moved',
    'moved again',
    'swept',
    'swept to the end',
    'canceled_all in part',
  ].map((kind) => `result ${kind}`),
  ...Object.keys(REJECTIONS).map((code) => `rejection ${code}`),
  'phase halted by a trade',
  'phase resumed after a halt',
  'closed for a sweep',
  'expired in the way of another',
  'timer removed by suspension',
  'upgrade done',
  'upgrade rejected',
  'unknown done',
  'unknown rejected',
  'trade with rebate',
  ...TRAILING_CASES,
  ...LIST_CASES,
  ...AUCTION_CASES,
  ...CUSTODY_CASES,
];

export const REQUIRED = 100;

export class Coverage {
  readonly counts = new Map<string, number>(EXPECTED.map((name) => [name, 0]));
  readonly #trailing = new TrailingCoverage((name) => this.#count(name));
  readonly #begun = new Set<number>();
  trades = 0;
  steps = 0;
  readonly #auctions = new AuctionCases((name) => this.#count(name));
  readonly #custody = new CustodyCases((name) => this.#count(name));

  /** Each run is a new venue, whose orders have the same ids again. */
  beginRun(): void {
    this.#trailing.clear();
    this.#custody.clear();
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  add(command: Command, outcome: Outcome): void {
    const isKnown = EXPECTED.includes(`command ${command.type}`);
    if (isKnown) this.#count(`command ${command.type}`);
    else this.#count(`unknown ${outcome.result.kind}`);
    if (command.type === 'upgrade') this.#count(`upgrade ${outcome.result.kind}`);
    this.#addResult(outcome.result);
    this.#trailing.add(command, outcome);
    for (const name of findListCases(command, outcome, this.#begun)) this.#count(name);
    this.#auctions.add(command, outcome);
    this.#custody.add(command, outcome);
    for (const step of outcome.steps) {
      this.steps += 1;
      this.#count(`step ${step.cause}`);
      this.trades += step.trades.length;
      for (const trade of step.trades) if (trade.rebate > 0n) this.#count('trade with rebate');
      for (const { mode } of step.prevented) this.#count(`prevented ${mode}`);
      for (const { phase, until } of step.phases) {
        if (phase === 'halted' && until > 0) this.#count('phase halted by a trade');
        if (phase === 'post_only' && until > 0) this.#count('phase resumed after a halt');
      }
      if (command.type === 'suspend_account' && step.cause === 'command') {
        for (const _ of step.timers) this.#count('timer removed by suspension');
      }
      for (const o of step.orders) {
        this.#count(`status ${o.status}`);
        if (o.statusReason !== '') this.#count(`reason ${o.statusReason}`);
        if (o.statusReason === 'gtd' && step.cause !== 'gtd') {
          this.#count('expired in the way of another');
        }
        if (o.createdAt !== step.time || o.updatedAt !== o.createdAt) continue;
        this.#count(`type ${o.type}`);
        this.#count(`stp ${o.stpMode}`);
        if (o.timeInForce !== '') this.#count(`tif ${o.timeInForce}`);
        if (o.type === 'market' && o.total > 0n) this.#count('type market by total');
        if (o.type === 'market' && o.side === 'buy' && o.total === 0n) {
          this.#count('type market buy by volume');
        }
        if (o.visibleVolume > 0) this.#count('type iceberg');
        if (o.postOnly) this.#count('type post-only');
      }
    }
  }

  #addResult(result: Result): void {
    switch (result.kind) {
      case 'rejected':
        this.#count(`rejection ${result.rejection.code}`);
        if (result.rejection.details['sweeping'] === true) this.#count('closed for a sweep');
        return;
      case 'canceled_all':
        this.#count(result.sweepId > 0 ? 'result canceled_all in part' : 'result canceled_all');
        return;
      case 'swept':
        this.#count(result.done ? 'result swept to the end' : 'result swept');
        return;
      case 'batch_rejected':
        this.#count(`rejection ${result.rejection.code}`);
        this.#count('result batch_rejected');
        return;
      case 'batch':
        this.#count('result batch');
        for (const item of result.items) this.#addResult(item);
        return;
      case 'placed':
        this.#count(result.replay ? 'result replay' : 'result placed');
        return;
      case 'moved':
        this.#count(result.replay ? 'result moved again' : 'result moved');
        return;
      case 'amended':
        if (result.replay) this.#count('result amended again');
        else this.#count(result.keptPriority ? 'result amended in place' : 'result amended');
        return;
      case 'replaced': {
        const { canceled, created } = result;
        const isBoth = canceled.kind === 'canceled' && created?.kind === 'placed';
        if (created === undefined) this.#count('result not replaced');
        else if (!isBoth) this.#count('result replaced in part');
        else this.#count(created.replay ? 'result replaced again' : 'result replaced');
        for (const part of [canceled, created]) if (part !== undefined) this.#addResult(part);
        return;
      }
      default:
        this.#count(`result ${result.kind}`);
    }
  }

  /** The cases that occurred less often than a run of a million commands must show. */
  shortfalls(): Array<[name: string, count: number]> {
    return [...this.counts].filter(([, count]) => count < REQUIRED);
  }
}
