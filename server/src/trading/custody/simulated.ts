// A network that does not exist, for demonstrations and tests: operators may deposit out of
// nothing. Its deposits are booked against `custody:SIMULATED` and never against a real network, so
// the sum over all accounts stays zero, and no real network seems to hold what it does not.
import { SIMULATED_NETWORK } from '@rialto/matching';
import type { Config } from '../../platform/config/schema.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { bindMoney } from '../../platform/money.ts';
import { randomHex } from '../../platform/std/ids.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import { encodeCommand, type NewCommand } from '../engine/command.ts';
import { insertCustodyCommands } from '../operators/access.ts';
import { moneyIsReal } from './errors.ts';
import { addEvidence, evidenceOf } from './evidence.ts';

/** Who asks the ledger for these deposits. */
export const SIMULATED_CUSTODY = 'simulated custody';

export interface SimulatedDeposit {
  readonly to: number | 'suspense' | 'adjustments';
  readonly coin: string;
  /** Units of 10^-18. */
  readonly amount: bigint;
  /** Identifies the deposit: the same id is credited once. */
  readonly id?: string;
}

/** The venue's public statement about its custody. */
export function describeCustody({ MONEY }: Pick<Config, 'MONEY'>): {
  simulated: boolean;
  networks: readonly string[];
  note: string;
} {
  return MONEY === 'simulated'
    ? {
        simulated: true,
        networks: [SIMULATED_NETWORK],
        note: 'This is a demonstration: deposits are simulated, and no coin here is worth anything.',
      }
    : { simulated: false, networks: [], note: '' };
}

/** For the engine every coin is on this network; clients never see it among a coin's networks. */
export function simulatedCommands(deposits: readonly SimulatedDeposit[]): NewCommand[] {
  const coins = new Set(deposits.map(({ coin }) => coin));
  return [
    ...[...coins].map((coin): NewCommand => ({
      type: 'list_coin',
      coin,
      networks: [SIMULATED_NETWORK],
    })),
    ...deposits.map(({ to, coin, amount, id }): NewCommand => ({
      type: 'credit_deposit',
      depositId: id ?? `sim-${randomHex(12)}`,
      network: SIMULATED_NETWORK,
      coin,
      to,
      amount,
    })),
  ];
}

/**
 * Sends deposits to the engine, all or none. Returns the numbers of the commands. Refused with real
 * money.
 */
export async function depositSimulated(
  ctx: Context,
  deposits: readonly SimulatedDeposit[],
): Promise<bigint[]> {
  const ids = await ctx.inTransaction((tx) => addSimulatedDeposits(ctx, tx, deposits));
  ringEngine(ctx);
  return ids;
}

/** The same inside the caller's transaction. */
export async function addSimulatedDeposits(
  ctx: Context,
  tx: Tx,
  deposits: readonly SimulatedDeposit[],
): Promise<bigint[]> {
  if (ctx.config.MONEY !== 'simulated') throw moneyIsReal();
  await bindMoney(tx, ctx.config.MONEY);
  const commands = simulatedCommands(deposits);
  await addSimulatedEvidence(tx, commands, SIMULATED_CUSTODY);
  return insertCustodyCommands(tx, commands.map(encodeCommand), SIMULATED_CUSTODY);
}

/** With simulated money, a reported deposit counts as received. */
export async function addSimulatedEvidence(
  tx: Tx,
  commands: readonly NewCommand[],
  who: string,
): Promise<void> {
  await addEvidence(
    tx,
    commands.flatMap((command) => {
      const needed = evidenceOf(command);
      return needed === undefined ? [] : [{ ...needed, source: 'simulated', who }];
    }),
  );
}
