// Operators' movements into and out of custody: simulated deposits and capital.

import { LIMITS, SIMULATED_NETWORK, type OwnerRef } from '@rialto/matching';
import { ringEngine } from '../../platform/bus/bells.ts';
import type { Context } from '../../platform/context.ts';
import { bindMoney } from '../../platform/money.ts';
import { parseAmount } from '../amount.ts';
import { encodeCommand } from '../engine/command.ts';
import { getCoin } from '../coins/access.ts';
import { insertCustodyCommands } from '../operators/access.ts';
import { addAct, requestAct } from '../operators/actions.ts';
import { contributeCapital, withdrawCapital, type Capital } from '../operators/acts.ts';
import { termRefused } from '../operators/errors.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { moneyIsReal } from './errors.ts';
import { addSimulatedEvidence, SIMULATED_CUSTODY, simulatedCommands } from './simulated.ts';

/**
 * An operator's deposit out of nothing, where money is simulated. Returns the number of its
 * command.
 */
export async function simulateDeposit(
  ctx: Context,
  operator: Operator,
  { to, coin, amount }: { to: OwnerRef; coin: string; amount: string },
): Promise<bigint> {
  if (ctx.config.MONEY !== 'simulated') throw moneyIsReal();
  const units = parseAmount(amount);
  if (units === undefined || units === 0n) {
    throw termRefused('amount', 'a decimal number above zero such as 12.5', amount);
  }
  if (to === 'fees' || to === 'capital') {
    throw termRefused('to', 'an account, adjustments or suspense', to);
  }
  const commands = simulatedCommands([{ to, coin, amount: units }]);
  const id = await ctx.inTransaction(async (tx) => {
    // A venue that takes these deposits, even before its first start, never has real money.
    await bindMoney(tx, ctx.config.MONEY);
    const deposit = commands.at(-1);
    await addSimulatedEvidence(tx, commands, operator.email);
    await insertCustodyCommands(tx, commands.slice(0, -1).map(encodeCommand), SIMULATED_CUSTODY);
    return addAct(ctx, tx, operator, {
      act: 'ledger deposit',
      subject: `${amount} ${coin} to ${to}`,
      command: deposit!,
    });
  });
  ringEngine(ctx);
  return id;
}

/**
 * Requests that capital be booked in or out. A second operator has to approve it, and the approval
 * is the evidence. So what the engine would refuse is refused here, before anybody approves it.
 */
export async function bookCapital(
  ctx: Context,
  operator: Operator,
  direction: 'in' | 'out',
  capital: Capital,
): Promise<bigint> {
  const { networks } = await getCoin(ctx.db, capital.coin);
  const known = ctx.config.MONEY === 'simulated' ? [SIMULATED_NETWORK] : Object.keys(networks);
  if (!known.includes(capital.network)) {
    const expected =
      known.length === 0 ? `a network of ${capital.coin}, which has none` : known.join(' or ');
    throw termRefused('network', expected, capital.network);
  }
  const units = parseAmount(capital.amount);
  if (units !== undefined && units > LIMITS.amountMax) {
    throw termRefused('amount', 'what the ledger can hold', capital.amount);
  }
  return requestAct(
    ctx,
    operator,
    (direction === 'in' ? contributeCapital : withdrawCapital)(capital),
  );
}
