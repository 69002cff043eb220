// Reversed deposits and what networks charge, in the slow twin.

import { LIMITS } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { badAmount, mayUse } from './money.ts';
import { balanceOf, findAccount, getStep, post, rejected } from './model.ts';
import type { CommandOf, TwinState } from './model.ts';

export function reverseDeposit(s: TwinState, c: CommandOf<'reverse_deposit'>): Result {
  const { network, depositId, part, coin, account, amount, cover } = c;
  const networks = s.coins.get(coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin });
  if (!mayUse(s, network)) return rejected('DEPOSIT_NOT_ACTIVE', { network, money: s.money });
  if (!networks.includes(network)) return rejected('UNKNOWN_NETWORK', { network });
  const isKnown =
    typeof account === 'number'
      ? findAccount(s, account) !== undefined
      : ['suspense', 'adjustments'].includes(account);
  if (!isKnown) return rejected('SUB_ACCOUNT_UNKNOWN', { account });
  if (!Number.isInteger(part) || part < 0 || part > LIMITS.reversalPartMax)
    return rejected('PARAMETER_RANGE', { parameter: 'part' });
  if (badAmount(amount)) return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  // The first pays until it has nothing left, and then the next.
  let missing = amount;
  const payers = [account, ...(cover && account !== 'adjustments' ? ['adjustments'] : [])];
  const payments = payers.map((payer): [number | string, bigint] => {
    const available = balanceOf(s, payer, coin, 'available');
    const paid = missing < available ? missing : available;
    missing -= paid;
    return [payer, paid];
  });
  const taken = amount - missing;
  const reversalId = `${network}:${depositId}:${part}`;
  if (taken > 0n) {
    post(s, 'reversal', reversalId, [
      ...payments.map(([payer, paid]): [number | string, string, 'available', bigint] => [
        payer,
        coin,
        'available',
        -paid,
      ]),
      [`custody:${network}`, coin, 'available', taken],
    ]);
  }
  getStep(s).reversals.push({ reversalId, account, coin, network, amount, missing, cover });
  return { kind: 'moved', replay: false, taken, missing };
}

export function bookChainCost(s: TwinState, c: CommandOf<'book_chain_cost'>): Result {
  const { network, costId, coin, amount } = c;
  const networks = s.coins.get(coin);
  if (networks === undefined) return rejected('UNKNOWN_COIN', { coin });
  if (!mayUse(s, network)) return rejected('WITHDRAW_NOT_ACTIVE', { network, money: s.money });
  if (!networks.includes(network)) return rejected('UNKNOWN_NETWORK', { network });
  if (badAmount(amount)) return rejected('PARAMETER_RANGE', { parameter: 'amount' });
  const available = balanceOf(s, 'adjustments', coin, 'available');
  if (amount > available)
    return rejected('INSUFFICIENT_FUNDS', { coin, required: amount, available });
  post(s, 'chain_cost', costId, [
    ['adjustments', coin, 'available', -amount],
    [`custody:${network}`, coin, 'available', amount],
  ]);
  return { kind: 'moved', replay: false };
}
