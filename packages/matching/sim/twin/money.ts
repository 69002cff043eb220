// Movements of money other than trading, in the slow twin.

import { LIMITS } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { balanceOf, findAccount, getStep, post, rejected } from './model.ts';
import type { CommandOf, TwinState, TwinWithdrawal } from './model.ts';

export const badAmount = (amount: bigint): boolean => amount <= 0n || amount > LIMITS.amountMax;
const moved: Result = { kind: 'moved', replay: false };

/** A demonstration takes simulated money only, and a real venue takes none. */
export function mayUse(s: TwinState, network: string): boolean {
  if (s.money === 'real') return network !== 'SIMULATED';
  return s.money === '' || network === 'SIMULATED';
}

/** All that users and the venue own of a coin; custody is the other side of it. */
function issued(s: TwinState, coin: string): bigint {
  let sum = 0n;
  for (const [key, value] of s.balances) {
    const [owner, of] = key.split('|');
    if (of === coin && owner !== undefined && !owner.startsWith('custody:')) sum += value;
  }
  return sum;
}

export function creditDeposit(s: TwinState, c: CommandOf<'credit_deposit'>): Result {
  const networks = s.coins.get(c.coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin: c.coin });
  if (!mayUse(s, c.network))
    return rejected('DEPOSIT_NOT_ACTIVE', { network: c.network, money: s.money });
  if (!networks.includes(c.network)) return rejected('UNKNOWN_NETWORK', { network: c.network });
  if (typeof c.to === 'number' && findAccount(s, c.to) === undefined) {
    return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.to });
  }
  if (badAmount(c.amount) || issued(s, c.coin) + c.amount > LIMITS.amountMax) {
    return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  }
  post(s, 'deposit', `${c.network}:${c.depositId}`, [
    [`custody:${c.network}`, c.coin, 'available', -c.amount],
    [c.to, c.coin, 'available', c.amount],
  ]);
  return moved;
}

export function requestWithdrawal(s: TwinState, c: CommandOf<'request_withdrawal'>): Result {
  const account = findAccount(s, c.account);
  if (account === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  const networks = s.coins.get(c.coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin: c.coin });
  if (!mayUse(s, c.network))
    return rejected('WITHDRAW_NOT_ACTIVE', { network: c.network, money: s.money });
  if (!networks.includes(c.network)) return rejected('UNKNOWN_NETWORK', { network: c.network });
  if (account.suspended) return rejected('ACCOUNT_SUSPENDED', { account: c.account });
  if (badAmount(c.amount)) return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  if (c.fee < 0n || c.fee >= c.amount) return rejected('PARAMETER_RANGE', { parameter: 'fee' });
  const available = balanceOf(s, c.account, c.coin, 'available');
  if (c.amount > available) {
    return rejected('INSUFFICIENT_FUNDS', { coin: c.coin, required: c.amount, available });
  }
  const { withdrawalId: id, coin, network, amount, fee } = c;
  s.withdrawals.push({ id, account: c.account, coin, network, amount, fee, status: 'pending' });
  post(s, 'withdrawal', id, [
    [c.account, coin, 'available', -amount],
    [c.account, coin, 'pendingWithdraw', amount],
  ]);
  getStep(s).withdrawals.push({
    withdrawalId: id,
    account: c.account,
    status: 'pending',
    network,
    fee,
  });
  return moved;
}

/** Also gives the withdrawal if it ended just now. */
export function endWithdrawal(
  s: TwinState,
  c: CommandOf<'settle_withdrawal' | 'cancel_withdrawal'>,
): [Result, TwinWithdrawal | undefined] {
  const w = s.withdrawals.find((x) => x.id === c.withdrawalId);
  const { withdrawalId } = c;
  if (w === undefined)
    return [rejected('WITHDRAW_FINAL', { withdrawalId, status: 'unknown' }), undefined];
  const wanted = c.type === 'settle_withdrawal' ? 'settled' : 'canceled';
  if (w.status !== 'pending') {
    if (w.status === wanted) return [{ kind: 'moved', replay: true }, undefined];
    return [rejected('WITHDRAW_FINAL', { withdrawalId, status: w.status }), undefined];
  }
  w.status = wanted;
  if (wanted === 'settled') {
    post(s, 'withdrawal_settled', withdrawalId, [
      [w.account, w.coin, 'pendingWithdraw', -w.amount],
      [`custody:${w.network}`, w.coin, 'available', w.amount - w.fee],
      ['fees', w.coin, 'available', w.fee],
    ]);
  } else {
    post(s, 'withdrawal_canceled', withdrawalId, [
      [w.account, w.coin, 'pendingWithdraw', -w.amount],
      [w.account, w.coin, 'available', w.amount],
    ]);
  }
  const { account, network, fee } = w;
  getStep(s).withdrawals.push({ withdrawalId, account, status: wanted, network, fee });
  return [moved, w];
}

export function transfer(s: TwinState, c: CommandOf<'transfer'>): Result {
  const from = findAccount(s, c.from);
  if (from === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.from });
  if (findAccount(s, c.to) === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.to });
  if (!s.coins.has(c.coin)) return rejected('UNKNOWN_COIN', { coin: c.coin });
  if (c.from === c.to) return rejected('PARAMETER_CONFLICT', { parameter: 'to' });
  if (from.suspended) return rejected('ACCOUNT_SUSPENDED', { account: c.from });
  return move(s, 'transfer', c.transferId, c);
}

export function adjust(s: TwinState, c: CommandOf<'adjust'>): Result {
  for (const owner of [c.from, c.to]) {
    const isMissing =
      typeof owner === 'number'
        ? findAccount(s, owner) === undefined
        : owner === 'capital' && s.rules < 2;
    if (isMissing) return rejected('SUB_ACCOUNT_UNKNOWN', { account: owner });
  }
  if (!s.coins.has(c.coin)) return rejected('UNKNOWN_COIN', { coin: c.coin });
  if (c.from === c.to) return rejected('PARAMETER_CONFLICT', { parameter: 'to' });
  return move(s, 'adjustment', c.adjustmentId, c);
}

function move(
  s: TwinState,
  kind: 'transfer' | 'adjustment',
  id: string,
  c: { from: number | string; to: number | string; coin: string; amount: bigint },
): Result {
  if (badAmount(c.amount)) return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  const available = balanceOf(s, c.from, c.coin, 'available');
  if (c.amount > available) {
    return rejected('INSUFFICIENT_FUNDS', { coin: c.coin, required: c.amount, available });
  }
  post(s, kind, id, [
    [c.from, c.coin, 'available', -c.amount],
    [c.to, c.coin, 'available', c.amount],
  ]);
  return moved;
}

export function contributeCapital(s: TwinState, c: CommandOf<'contribute_capital'>): Result {
  const { coin, network, amount, contributionId } = c;
  const networks = s.coins.get(coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin });
  if (!mayUse(s, network)) return rejected('DEPOSIT_NOT_ACTIVE', { network, money: s.money });
  if (!networks.includes(network)) return rejected('UNKNOWN_NETWORK', { network });
  if (badAmount(amount) || issued(s, coin) + amount > LIMITS.amountMax) {
    return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  }
  post(s, 'capital', contributionId, [
    [`custody:${network}`, coin, 'available', -amount],
    ['capital', coin, 'available', amount],
  ]);
  return moved;
}

export function withdrawCapital(s: TwinState, c: CommandOf<'withdraw_capital'>): Result {
  const { coin, network, amount, contributionId } = c;
  const networks = s.coins.get(coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin });
  if (!mayUse(s, network)) return rejected('WITHDRAW_NOT_ACTIVE', { network, money: s.money });
  if (!networks.includes(network)) return rejected('UNKNOWN_NETWORK', { network });
  if (badAmount(amount)) return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  const available = balanceOf(s, 'capital', coin, 'available');
  if (amount > available)
    return rejected('INSUFFICIENT_FUNDS', { coin, required: amount, available });
  post(s, 'capital', contributionId, [
    ['capital', coin, 'available', -amount],
    [`custody:${network}`, coin, 'available', amount],
  ]);
  return moved;
}
