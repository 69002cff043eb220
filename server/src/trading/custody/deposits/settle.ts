// Credits deposits that have their confirmations. The status and the command to the ledger are one commit: a process
// that dies here has done both or nothing.
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { encodeCommand } from '../../engine/command.ts';
import { insertCustodyCommands } from '../../operators/access.ts';
import { isAltered, matchAddresses } from '../addresses/access.ts';
import { addEvidence, evidenceOf } from '../evidence.ts';
import type { OwnNetwork } from '../networks.ts';
import { creditsOf, feeOf, reachesMinimum, type CoinTerms } from './rules.ts';
import {
  markCredited,
  noteBooked,
  takeConfirmed,
  takeSmall,
  updateStatus,
  type OpenDeposit,
} from './store.ts';

/** Deposits that one transaction credits; others follow with the next look. */
const CREDITED_AT_ONCE_MAX = 200;

export interface Settling {
  readonly own: OwnNetwork;
  readonly terms: ReadonlyMap<string, CoinTerms>;
  readonly scannedHeight: number;
  readonly isPaused: boolean;
}

export interface Settled {
  readonly credited: number;
  /** All whose status changed. */
  readonly changed: readonly bigint[];
}

const join = (all: readonly Settled[]): Settled => ({
  credited: all.reduce((sum, { credited }) => sum + credited, 0),
  changed: all.flatMap(({ changed }) => changed),
});

/** Credits what is ready. The caller holds the row of the network, and tells what changed. */
export async function settleDeposits(ctx: Context, tx: Tx, settling: Settling): Promise<Settled> {
  const { own, isPaused, scannedHeight } = settling;
  const refused = await noteBooked(tx, own.network);
  for (const depositId of refused) {
    ctx.log.error(
      { network: own.network, deposit: `D${depositId}` },
      'The ledger refused the credit of a deposit. It is held; `admin pending` shows the command and why.',
    );
  }
  const ready = await takeConfirmed(tx, own.network, scannedHeight, {
    withPaused: !isPaused,
    isScreened: ctx.config.SCREENING_URL !== '',
    limit: CREDITED_AT_ONCE_MAX,
  });
  const groups = Map.groupBy(ready, ({ accountId, coin }) => `${accountId}/${coin}`);
  const settled: Settled[] = [{ credited: 0, changed: refused }];
  for (const group of groups.values()) settled.push(await settleGroup(ctx, tx, settling, group));
  return join(settled);
}

const idsOf = (deposits: readonly OpenDeposit[]) => deposits.map(({ depositId }) => depositId);

/** Deposits of one coin to one account. */
async function settleGroup(
  ctx: Context,
  tx: Tx,
  { own, terms, isPaused }: Settling,
  group: readonly OpenDeposit[],
): Promise<Settled> {
  const [first] = group;
  const coin = [...terms.values()].find((one) => one.coin === first?.coin);
  // A coin that left the network meanwhile waits for operators, as a paused one does.
  if (first === undefined || coin === undefined || isPaused || !coin.isActive) {
    const running = group.filter(({ status }) => status === 'confirming');
    await updateStatus(tx, idsOf(running), 'held', 'paused');
    return { credited: 0, changed: idsOf(running) };
  }
  const genuine = await findGenuine(ctx, tx, own, group);
  const altered = idsOf(group.filter((deposit) => !genuine.includes(deposit)));
  await updateStatus(tx, altered, 'held', 'address_altered');
  if (genuine.length === 0) return { credited: 0, changed: altered };
  const small = first.accountId === null ? [] : await takeSmall(tx, first, CREDITED_AT_ONCE_MAX);
  const all = [...genuine, ...small];
  if (first.accountId !== null && !reachesMinimum(all, coin)) {
    await updateStatus(tx, idsOf(genuine), 'below_minimum', '');
    return { credited: 0, changed: [...altered, ...idsOf(genuine)] };
  }
  const who = `custody ${own.network}`;
  for (const deposit of all) {
    const fee = feeOf(deposit, coin);
    const credits = creditsOf(deposit, fee);
    const ids = await insertCustodyCommands(tx, credits.map(encodeCommand), who);
    const evidence = credits.flatMap((credit) => evidenceOf(credit) ?? []);
    await addEvidence(
      tx,
      evidence.map((needed) => ({ ...needed, source: 'chain', who })),
    );
    const [commandId] = ids;
    if (commandId !== undefined) await markCredited(tx, deposit, fee, commandId);
  }
  return { credited: all.length, changed: [...altered, ...idsOf(all)] };
}

/** Those whose address is as we wrote it: somebody who altered a row must not get the coins of another. */
async function findGenuine(
  ctx: Context,
  tx: Tx,
  own: OwnNetwork,
  group: readonly OpenDeposit[],
): Promise<OpenDeposit[]> {
  const rowOf = await matchAddresses(
    tx,
    own.network,
    group.map(({ address }) => address),
  );
  return group.filter(({ address, accountId }) => {
    const row = rowOf.get(address);
    return row !== undefined && row.accountId === accountId && !isAltered(ctx, own, row);
  });
}
