// The slow twin: the whole venue again, written from the rules without regard to speed.

import { LIMITS } from '../../src/command.ts';
import type { Command, OrderRef } from '../../src/command.ts';
import type { Outcome, Result, StatusReason, StepCause } from '../../src/outcome.ts';
import { accept, check, conditionHolds, executeLater, placeOne, recall } from './placing.ts';
import { setPhase } from './matching.ts';
import {
  adjust,
  contributeCapital,
  creditDeposit,
  endWithdrawal,
  requestWithdrawal,
  transfer,
  withdrawCapital,
} from './money.ts';
import { bookChainCost, reverseDeposit } from './custody.ts';
import {
  TwinState,
  beginStep,
  coinGiven,
  endStep,
  findAccount,
  findOrder,
  finish,
  getMarketOf,
  getStep,
  isConditional,
  isExpired,
  rejected,
  rememberCause,
  view,
} from './model.ts';
import type { Beginning, CommandOf, TwinOrder } from './model.ts';
import { administer, enterPhase } from './administration.ts';
import { cancelAll, cancelMarket, cancelWhere, isSweeping, sweepOn } from './sweeping.ts';
import { amendOnce } from './amend-ids.ts';
import { setFeeTiers } from './families.ts';
import { followTrade, hasTurned } from './trailing.ts';
import { beginExits, legsOf, placeList, takeOver } from './lists.ts';

export class Twin {
  readonly state: TwinState;

  constructor(beginning: Beginning) {
    this.state = new TwinState(beginning);
  }

  apply(command: Command): Outcome {
    const s = this.state;
    s.steps = [];
    if (command.time < s.time) throw new Error('twin: time went backwards');
    this.#fireDue(command.time);
    const result = this.#dispatch(command);
    return { steps: s.steps, result };
  }

  #fireDue(time: number): void {
    const s = this.state;
    // The rest stays due.
    let left = s.rules >= 2 ? s.sweepStep : Infinity;
    while (left > 0) {
      const due: Array<{ due: number; seq: number; fire: () => void }> = [];
      for (const account of s.accounts) {
        if (account.timerDue === 0) continue;
        due.push({
          due: account.timerDue,
          seq: account.timerSeq,
          fire: () => {
            beginStep(s, time, 'dead_man');
            account.timerDue = 0;
            getStep(s).timers.push({ account: account.id, triggerTime: 0 });
            left -= cancelWhere(s, { account: account.id }, 'dead_man').orderIds.length;
          },
        });
      }
      for (const market of s.markets) {
        if (market.phaseDue > 0) {
          due.push({
            due: market.phaseDue,
            seq: market.phaseSeq,
            fire: () => {
              beginStep(s, time, 'phase_end');
              const auctionMs = (market.config.auctionSeconds ?? 0) * 1000;
              if (market.phase === 'halted' && s.rules >= 4 && auctionMs > 0)
                enterPhase(s, market, 'auction', time + auctionMs);
              else if (market.phase === 'halted')
                setPhase(s, market, 'post_only', time + 60_000, 'continuous');
              else enterPhase(s, market, market.phaseNext);
            },
          });
        }
        for (const o of market.live) {
          if (o.expireTime === 0) continue;
          due.push({
            due: o.expireTime,
            seq: o.timerSeq,
            fire: () => {
              beginStep(s, time, 'gtd');
              finish(s, o, 'expired', 'gtd');
            },
          });
        }
      }
      let next: (typeof due)[number] | undefined;
      for (const t of due) {
        if (t.due > time) continue;
        if (next === undefined || t.due < next.due || (t.due === next.due && t.seq < next.seq))
          next = t;
      }
      if (next === undefined) return;
      left -= 1;
      next.fire();
      this.#closeStep(time);
    }
  }

  /** Ends the step, then runs what its trades triggered, until nothing more is triggered. */
  #closeStep(time: number): void {
    const s = this.state;
    const queue: Array<TwinOrder | TwinState['beginnings'][number]> = [];
    const scan = (): void => {
      for (const { market, price, isLookBack } of s.tradedPrices) {
        if (!isLookBack) followTrade(market, price);
        if (market.phase !== 'continuous' || isSweeping(s, market)) continue;
        const hit = market.live
          .filter((o) => o.status === 'pending' && o.dormant !== true)
          .filter((o) => !queue.includes(o) && !isExpired(s, o, time))
          .filter((o) =>
            o.type === 'trailing_stop'
              ? hasTurned(o, price)
              : conditionHolds(o.type, o.side, o.stopPrice, price),
          )
          .sort((a, b) => a.orderId - b.orderId);
        queue.push(...hit);
      }
      s.tradedPrices = [];
      queue.push(...s.beginnings);
      s.beginnings = [];
    };
    endStep(s);
    scan();
    for (;;) {
      const o = queue.shift();
      if (o === undefined) return;
      if ('lots' in o) {
        const [entry, exit] = o.list.legs;
        if (entry === undefined || exit?.isFinal !== false) continue;
        beginStep(s, time, 'list');
        const stop = beginExits(s, getMarketOf(s, entry), o.list, o.lots);
        endStep(s);
        scan();
        if (stop !== undefined) queue.push(stop);
        continue;
      }
      // The other leg of its list traded in between.
      if (o.isFinal) continue;
      // A halt in between leaves the rest waiting: they are checked again when trading resumes.
      if (getMarketOf(s, o).phase !== 'continuous') continue;
      beginStep(s, time, 'trigger');
      o.triggeredAt = time;
      o.status = 'open';
      takeOver(s, o);
      executeLater(s, o);
      endStep(s);
      scan();
    }
  }

  #inStep(command: Command, run: () => Result, cause: StepCause = 'command'): Result {
    beginStep(this.state, command.time, cause);
    const result = run();
    this.#closeStep(command.time);
    return result;
  }

  #dispatch(c: Command): Result {
    const s = this.state;
    switch (c.type) {
      case 'tick':
        return { kind: 'done' };
      case 'test': {
        const a = check(s, c.account, c.order, c.time, false, s.rules >= 2);
        if ('kind' in a) return a;
        if (!a.fillable) return rejected('FOK_NOT_FILLABLE');
        return {
          kind: 'tested',
          fills: a.walk.fills,
          fee: a.walk.fee,
          feeCoin: c.order.side === 'buy' ? a.market.config.base : a.market.config.quote,
          hold: a.hold,
          holdCoin: coinGiven(a.market, c.order.side),
        };
      }
      case 'place': {
        const id = c.order.clientOrderId ?? '';
        if (this.#mustLookUpAgain(c.account, [id], c.checkpoint)) {
          return { kind: 'lookup_again', forgottenThrough: s.forgottenThrough };
        }
        return this.#inStep(c, () => placeOne(s, c.account, c.order, c.time));
      }
      case 'place_list': {
        if (s.rules < 4) return this.#refuseUnknown(c);
        const isKnown = ['oco', 'bracket'].includes(c.list.kind);
        const ids = isKnown ? legsOf(c.list).map(({ terms }) => terms.clientOrderId ?? '') : [];
        if (this.#mustLookUpAgain(c.account, ids, c.checkpoint)) {
          return { kind: 'lookup_again', forgottenThrough: s.forgottenThrough };
        }
        return this.#inStep(c, () => placeList(s, c));
      }
      case 'place_batch': {
        const ids = c.orders.map((o) => o.clientOrderId ?? '');
        if (this.#mustLookUpAgain(c.account, ids, c.checkpoint)) {
          return { kind: 'lookup_again', forgottenThrough: s.forgottenThrough };
        }
        if (c.orders.length < 1 || c.orders.length > LIMITS.batchPlaceMax) {
          return this.#inStep(c, () => rejected('PARAMETER_RANGE', { parameter: 'orders' }));
        }
        return c.mode === 'independent' ? this.#placeEach(c) : this.#placeAllOrNone(c);
      }
      case 'credit_deposit':
      case 'request_withdrawal':
      case 'transfer':
      case 'adjust':
      case 'contribute_capital':
      case 'withdraw_capital':
      case 'reverse_deposit':
      case 'book_chain_cost': {
        if (s.rules < 5 && (c.type === 'reverse_deposit' || c.type === 'book_chain_cost')) {
          return this.#refuseUnknown(c);
        }
        if (s.rules < 2 && (c.type === 'contribute_capital' || c.type === 'withdraw_capital')) {
          return this.#inStep(c, () => ({ kind: 'done' }));
        }
        const [key, terms] = causeOf(c);
        const known = s.causes.find((cause) => cause.key === key);
        const live = s.withdrawals.find((w) => w.status === 'pending' && `w:${w.id}` === key);
        if (
          known === undefined &&
          live === undefined &&
          (c.checkpoint ?? 0) < s.causesForgottenThrough
        ) {
          return { kind: 'lookup_again', forgottenThrough: s.causesForgottenThrough };
        }
        return this.#inStep(c, () => {
          if (known !== undefined || live !== undefined) {
            const before =
              known?.terms ??
              (live && `${live.account}|${live.coin}|${live.network}|${live.amount}|${live.fee}`);
            return before === terms
              ? { ...(known?.result ?? { kind: 'moved' }), replay: true }
              : rejected('CLIENT_ID_CONFLICT', { id: key.slice(2) });
          }
          const result = makeMovement(s, c);
          if (result.kind === 'moved' && c.type !== 'request_withdrawal')
            rememberCause(s, key, terms, result);
          return result;
        });
      }
      case 'settle_withdrawal':
      case 'cancel_withdrawal':
        if (
          s.rules >= 2 &&
          !s.withdrawals.some(({ id }) => id === c.withdrawalId) &&
          (c.checkpoint ?? 0) < s.causesForgottenThrough
        ) {
          return { kind: 'lookup_again', forgottenThrough: s.causesForgottenThrough };
        }
        return this.#inStep(c, () => {
          const [result, done] = endWithdrawal(s, c);
          if (done !== undefined) {
            const { id, account, coin, network, amount, fee } = done;
            rememberCause(s, `w:${id}`, `${account}|${coin}|${network}|${amount}|${fee}`);
          }
          return result;
        });
      case 'cancel':
        return this.#inStep(c, () => this.#cancelOne(c, c, c.reason ?? 'user', c.symbol, c.onlyIf));
      case 'cancel_batch':
        return this.#inStep(c, () => {
          if (c.orders.length < 1 || c.orders.length > LIMITS.batchCancelMax) {
            return rejected('PARAMETER_RANGE', { parameter: 'orders' });
          }
          return {
            kind: 'batch',
            items: c.orders.map((ref) =>
              this.#cancelOne(c, ref, c.reason ?? 'user', undefined, undefined),
            ),
          };
        });
      case 'cancel_all':
        return this.#inStep(c, () => cancelAll(s, c));
      case 'cancel_all_after':
        return this.#inStep(c, () => this.#cancelAllAfter(c));
      case 'amend':
        return this.#inStep(c, () => amendOnce(s, c));
      case 'cancel_market':
        if (s.rules < 2) return this.#inStep(c, () => ({ kind: 'done' }));
        return this.#inStep(c, () => cancelMarket(s, c));
      case 'sweep': {
        if (s.rules < 2) return this.#inStep(c, () => ({ kind: 'done' }));
        const [oldest] = s.sweeps;
        if (oldest === undefined) return { kind: 'done' };
        return this.#inStep(c, () => sweepOn(s, oldest), 'sweep');
      }
      case 'list_coin':
      case 'open_account':
      case 'define_fee_tier':
      case 'set_fee_tier':
      case 'suspend_account':
      case 'set_memory':
      case 'set_money':
      case 'create_market':
      case 'configure_market':
      case 'set_phase':
      case 'upgrade':
        return this.#inStep(c, () => administer(s, c));
      case 'set_fee_tiers':
        if (s.rules >= 4) return this.#inStep(c, () => setFeeTiers(s, c));
        return this.#refuseUnknown(c);
      case 'replace':
        return s.rules >= 4 ? this.#replace(c) : this.#refuseUnknown(c);
      default:
        return this.#refuseUnknown(c);
    }
  }

  #refuseUnknown(c: Command): Result {
    if (this.state.rules >= 2) return rejected('PARAMETER_INVALID', { parameter: 'type' });
    return this.#inStep(c, () => ({ kind: 'done' }));
  }

  #replace(c: CommandOf<'replace'>): Result {
    const s = this.state;
    const clientOrderId = c.order.clientOrderId ?? '';
    if (this.#mustLookUpAgain(c.account, [clientOrderId], c.checkpoint)) {
      return { kind: 'lookup_again', forgottenThrough: s.forgottenThrough };
    }
    const earlier = (): Result | undefined => {
      if (!['stop_on_failure', 'allow_failure'].includes(c.mode)) {
        return rejected('PARAMETER_INVALID', { parameter: 'mode' });
      }
      const created = recall(s, c.account, c.order);
      if (created?.kind !== 'placed') return created;
      const old = findOrder(s, c.account, c);
      if (old === undefined) {
        return { kind: 'replaced', canceled: rejected('ORDER_NOT_FOUND'), created };
      }
      if (!old.isFinal) {
        const { orderId } = created.order;
        return rejected('CLIENT_ORDER_ID_CONFLICT', { clientOrderId, orderId });
      }
      const canceled: Result =
        old.status === 'canceled'
          ? { kind: 'canceled', order: view(old) }
          : rejected('ORDER_FINAL', { status: old.status }, view(old));
      return { kind: 'replaced', canceled, created };
    };
    let canceled: Result | undefined;
    const before = this.#inStep(c, () => {
      const known = earlier();
      if (known === undefined) canceled = this.#cancelOne(c, c, 'user', undefined, undefined);
      return known ?? { kind: 'done' };
    });
    if (canceled === undefined) return before;
    if (canceled.kind === 'rejected' && c.mode === 'stop_on_failure') {
      return { kind: 'replaced', canceled, created: undefined };
    }
    const created = this.#inStep(c, () => placeOne(s, c.account, c.order, c.time));
    return { kind: 'replaced', canceled, created };
  }

  #mustLookUpAgain(account: number, ids: string[], checkpoint: number | undefined): boolean {
    const s = this.state;
    if ((checkpoint ?? 0) >= s.forgottenThrough) return false;
    return ids.some(
      (id) => id !== '' && findOrder(s, account, { clientOrderId: id }) === undefined,
    );
  }

  #placeEach(c: CommandOf<'place_batch'>): Result {
    const s = this.state;
    const items = c.orders.map((terms) => {
      beginStep(s, c.time, 'batch_order');
      const result = placeOne(s, c.account, terms, c.time);
      this.#closeStep(c.time);
      return result;
    });
    return { kind: 'batch', items };
  }

  #placeAllOrNone(c: CommandOf<'place_batch'>): Result {
    const s = this.state;
    const step = beginStep(s, c.time, 'command');
    const undo = {
      balances: new Map(s.balances),
      orderCount: s.orderCount,
      timerSeq: s.timerSeq,
      live: s.markets.map((m) => m.live),
    };
    for (const market of s.markets) market.live = [...market.live];
    const made: Array<{ order: TwinOrder | undefined; replay: boolean }> = [];
    for (const [index, terms] of c.orders.entries()) {
      let result = recall(s, c.account, terms);
      if (result === undefined) {
        const a = check(s, c.account, terms, c.time, true);
        if ('kind' in a) result = a;
        else if (!a.fillable) result = rejected('FOK_NOT_FILLABLE');
        else {
          made.push({ order: accept(s, c.account, a, c.time), replay: false });
          continue;
        }
      }
      if (result.kind === 'placed') {
        made.push({ order: findOrder(s, c.account, terms), replay: true });
        continue;
      }
      if (result.kind !== 'rejected') throw new Error('twin: unexpected result in a batch');
      s.balances = undo.balances;
      s.orderCount = undo.orderCount;
      s.timerSeq = undo.timerSeq;
      for (const [i, market] of s.markets.entries()) market.live = undo.live[i] ?? [];
      s.touched.clear();
      step.journals = [];
      this.#closeStep(c.time);
      return { kind: 'batch_rejected', index, rejection: result.rejection };
    }
    this.#closeStep(c.time);
    const items = made.map(({ replay, order }): Result => {
      if (order === undefined) throw new Error('twin: a known order is gone');
      if (replay) return { kind: 'placed', order: view(order), replay: true };
      if (!isConditional(order.type)) {
        beginStep(s, c.time, 'batch_order');
        executeLater(s, order);
        const placed: Result = { kind: 'placed', order: view(order), replay: false };
        this.#closeStep(c.time);
        return placed;
      }
      return { kind: 'placed', order: view(order), replay: false };
    });
    return { kind: 'batch', items };
  }

  #cancelOne(
    c: { account: number },
    ref: OrderRef,
    reason: StatusReason,
    symbol: string | undefined,
    onlyIf: string | undefined,
  ): Result {
    const s = this.state;
    if (findAccount(s, c.account) === undefined)
      return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.account });
    const o = findOrder(s, c.account, ref);
    if (o === undefined || (symbol !== undefined && o.symbol !== symbol))
      return rejected('ORDER_NOT_FOUND');
    if (o.isFinal) return rejected('ORDER_FINAL', { status: o.status }, view(o));
    if (onlyIf !== undefined && o.status !== onlyIf) {
      return rejected('PARAMETER_CONFLICT', { parameter: 'onlyIf' }, view(o));
    }
    finish(s, o, 'canceled', reason);
    return { kind: 'canceled', order: view(o) };
  }

  #cancelAllAfter(c: CommandOf<'cancel_all_after'>): Result {
    const s = this.state;
    const account = findAccount(s, c.account);
    if (account === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.account });
    const ok =
      c.timeoutMs === 0 ||
      (Number.isInteger(c.timeoutMs) &&
        c.timeoutMs >= LIMITS.timerMinMs &&
        c.timeoutMs <= LIMITS.timerMaxMs);
    if (!ok) return rejected('PARAMETER_RANGE', { parameter: 'timeout' });
    if (c.timeoutMs === 0) account.timerDue = 0;
    else {
      account.timerDue = c.time + c.timeoutMs;
      s.timerSeq += 1;
      account.timerSeq = s.timerSeq;
    }
    getStep(s).timers.push({ account: account.id, triggerTime: account.timerDue });
    return { kind: 'timer', triggerTime: account.timerDue };
  }
}

type Movement = CommandOf<
  | 'credit_deposit'
  | 'request_withdrawal'
  | 'transfer'
  | 'adjust'
  | 'contribute_capital'
  | 'withdraw_capital'
  | 'reverse_deposit'
  | 'book_chain_cost'
>;

function makeMovement(s: TwinState, c: Movement): Result {
  switch (c.type) {
    case 'credit_deposit':
      return creditDeposit(s, c);
    case 'request_withdrawal':
      return requestWithdrawal(s, c);
    case 'transfer':
      return transfer(s, c);
    case 'adjust':
      return adjust(s, c);
    case 'contribute_capital':
      return contributeCapital(s, c);
    case 'withdraw_capital':
      return withdrawCapital(s, c);
    case 'reverse_deposit':
      return reverseDeposit(s, c);
    case 'book_chain_cost':
      return bookChainCost(s, c);
  }
}

function causeOf(c: Movement): [key: string, terms: string] {
  switch (c.type) {
    case 'credit_deposit':
      return [`d:${c.network}:${c.depositId}`, `${c.coin}|${c.to}|${c.amount}`];
    case 'request_withdrawal':
      return [`w:${c.withdrawalId}`, `${c.account}|${c.coin}|${c.network}|${c.amount}|${c.fee}`];
    case 'transfer':
      return [`t:${c.transferId}`, `${c.from}|${c.to}|${c.coin}|${c.amount}`];
    case 'adjust':
      return [`a:${c.adjustmentId}`, `${c.from}|${c.to}|${c.coin}|${c.amount}`];
    case 'contribute_capital':
      return [`c:${c.contributionId}`, `in|${c.coin}|${c.network}|${c.amount}`];
    case 'withdraw_capital':
      return [`c:${c.contributionId}`, `out|${c.coin}|${c.network}|${c.amount}`];
    case 'reverse_deposit':
      return [
        `r:${c.network}:${c.depositId}:${c.part}`,
        `${c.coin}|${c.account}|${c.amount}|${c.cover}`,
      ];
    case 'book_chain_cost':
      return [`x:${c.costId}`, `${c.coin}|${c.network}|${c.amount}`];
  }
}
