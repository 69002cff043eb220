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
  listWithSmall,
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
  const groups = Map.groupBy(ready, nameOf);
  const known: Known = {
    genuine: new Set(await findGenuine(ctx, tx, own, ready)),
    small: new Set((await listWithSmall(tx, own.network, accountsOf(ready))).map(nameOf)),
  };
  const sorted: Sorted[] = [{ credits: [], changed: refused }];
  for (const group of groups.values()) sorted.push(await sortGroup(tx, settling, group, known));
  const all = sorted.flatMap(({ credits }) => credits);
  await credit(tx, own, all);
  return { credited: all.length, changed: sorted.flatMap(({ changed }) => changed) };
}

const nameOf = ({ accountId, coin }: Pick<OpenDeposit, 'accountId' | 'coin'>): string =>
  `${accountId}/${coin}`;

const accountsOf = (deposits: readonly OpenDeposit[]): bigint[] => [
  ...new Set(deposits.flatMap(({ accountId }) => accountId ?? [])),
];

/** Asked once for all groups. */
interface Known {
  readonly genuine: ReadonlySet<OpenDeposit>;
  /** Accounts and coins with deposits below the minimum. */
  readonly small: ReadonlySet<string>;
}

interface Credit {
  readonly deposit: OpenDeposit;
  readonly fee: bigint;
}

/** What becomes of some deposits; what is not credited has its new status already. */
interface Sorted {
  readonly credits: readonly Credit[];
  readonly changed: readonly bigint[];
}

const idsOf = (deposits: readonly OpenDeposit[]) => deposits.map(({ depositId }) => depositId);

/** Deposits of one coin to one account. */
async function sortGroup(
  tx: Tx,
  { terms, isPaused }: Settling,
  group: readonly OpenDeposit[],
  known: Known,
): Promise<Sorted> {
  const [first] = group;
  const coin = [...terms.values()].find((one) => one.coin === first?.coin);
  // A coin that left the network meanwhile waits for operators, as a paused one does.
  if (first === undefined || coin === undefined || isPaused || !coin.isActive) {
    const running = group.filter(({ status }) => status === 'confirming');
    await updateStatus(tx, idsOf(running), 'held', 'paused');
    return { credits: [], changed: idsOf(running) };
  }
  const genuine = group.filter((deposit) => known.genuine.has(deposit));
  const altered = idsOf(group.filter((deposit) => !known.genuine.has(deposit)));
  await updateStatus(tx, altered, 'held', 'address_altered');
  if (genuine.length === 0) return { credits: [], changed: altered };
  const hasSmall = first.accountId !== null && known.small.has(nameOf(first));
  const small = hasSmall ? await takeSmall(tx, first, CREDITED_AT_ONCE_MAX) : [];
  const all = [...genuine, ...small];
  if (first.accountId !== null && !reachesMinimum(all, coin)) {
    await updateStatus(tx, idsOf(genuine), 'below_minimum', '');
    return { credits: [], changed: [...altered, ...idsOf(genuine)] };
  }
  const credits = all.map((deposit) => ({ deposit, fee: feeOf(deposit, coin) }));
  return { credits, changed: [...altered, ...idsOf(all)] };
}

/** Commands, evidence and status of all of them. */
async function credit(tx: Tx, { network }: OwnNetwork, credits: readonly Credit[]): Promise<void> {
  const who = `custody ${network}`;
  const commands = credits.flatMap(({ deposit, fee }, of) =>
    creditsOf(deposit, fee).map((command) => ({ command, of })),
  );
  const ids = await insertCustodyCommands(
    tx,
    commands.map(({ command }) => encodeCommand(command)),
    who,
  );
  const evidence = commands.flatMap(({ command }) => evidenceOf(command) ?? []);
  await addEvidence(
    tx,
    evidence.map((needed) => ({ ...needed, source: 'chain', who })),
  );
  // A deposit follows the first of its commands.
  const first = new Map<number, bigint>();
  for (const [n, { of }] of commands.entries()) {
    const id = ids[n];
    if (id !== undefined && !first.has(of)) first.set(of, id);
  }
  await markCredited(
    tx,
    credits.flatMap(({ deposit, fee }, of) => {
      const commandId = first.get(of);
      return commandId === undefined ? [] : [{ ...deposit, fee, commandId }];
    }),
  );
}

/** Those whose address is as we wrote it: somebody who altered a row must not get the coins of another. */
async function findGenuine(
  ctx: Context,
  tx: Tx,
  own: OwnNetwork,
  deposits: readonly OpenDeposit[],
): Promise<OpenDeposit[]> {
  const rowOf = await matchAddresses(
    tx,
    own.network,
    deposits.map(({ address }) => address),
  );
  return deposits.filter(({ address, accountId }) => {
    const row = rowOf.get(address);
    return row !== undefined && row.accountId === accountId && !isAltered(ctx, own, row);
  });
}
