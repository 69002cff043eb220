import type { OwnerRef } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { parseAmount } from '../amount.ts';
import { encodeCommand } from '../engine/command.ts';
import { addAct, ringEngine } from '../operators/actions.ts';
import { termRefused } from '../operators/errors.ts';
import type { Operator } from '../operators/operator.ts';
import { moneyIsReal } from './errors.ts';
import { addSimulatedEvidence, simulatedCommands } from './simulated.ts';
import { insertCustodyCommands } from './store.ts';

/** An operator's deposit out of nothing, where money is simulated. Gives the number of its command. */
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
  if (to === 'fees') throw termRefused('to', 'an account, adjustments or suspense', to);
  const commands = simulatedCommands([{ to, coin, amount: units }]);
  const id = await ctx.inTransaction(async (tx) => {
    const deposit = commands.at(-1);
    await addSimulatedEvidence(tx, commands, operator.email);
    await insertCustodyCommands(tx, commands.slice(0, -1).map(encodeCommand));
    return addAct(ctx, tx, operator, {
      act: 'ledger deposit',
      subject: `${amount} ${coin} to ${to}`,
      command: deposit!,
    });
  });
  ringEngine(ctx);
  return id;
}
