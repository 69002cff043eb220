// Asks for a withdrawal. The request becomes a row and a command in one commit, and the ledger holds the amount once. So a
// caller who lost the answer repeats the call, and gets the withdrawal that was made.
import { familyOf } from '../../../accounts/trading-keys/key.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { assert } from '../../../platform/std/assert.ts';
import { formatAmount } from '../../amount.ts';
import type { TradingContext } from '../../context.ts';
import { encodeCommand } from '../../engine/command.ts';
import { signerOf, type PrivateCaller } from '../../http/authenticate.ts';
import { refuse, SUSPENDED } from '../../http/errors.ts';
import { fromRejection, withAmounts } from '../../http/rejections.ts';
import { insertCustodyCommands, getCommand } from '../../operators/access.ts';
import { awaitCommand } from '../../operators/actions.ts';
import { accessEntry, matchEntry, readDestination } from '../address-book/access.ts';
import type { BookEntry } from '../address-book/entry.ts';
import { isAltered, matchAddresses } from '../addresses/access.ts';
import {
  accessWithdrawPlace,
  factsOf,
  holdOwner,
  listCounted,
  readAmount,
  RECENT_MAX,
  type WithdrawPlace,
} from './access.ts';
import { followWithdrawal } from './proceed.ts';
import { approvalsFor, check, feeOf, type Check, type WithdrawTerms } from './rules.ts';
import { movementOf, type WithdrawalRow } from './shapes.ts';
import { addWithdrawal } from './change.ts';
import { drawWithdrawalId, findByClientId, lockFamily } from './store.ts';

/** For so long an owner may confirm. */
const CONFIRM_WITHIN_MS = 30 * 60 * 1000;

export interface AskedWithdrawal {
  readonly coin: string;
  readonly network: string | undefined;
  readonly amount: string;
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /** Instead of address and memo. */
  readonly addressId: bigint | undefined;
  readonly clientWithdrawId: string;
  readonly note: string;
}

interface Destination {
  readonly address: string;
  readonly memo: string;
  readonly entry: BookEntry | undefined;
  /** Whose deposit address it is, if it is one of the venue. */
  readonly toAccountId: bigint | null;
}

export async function requestWithdrawal(
  ctx: TradingContext,
  caller: PrivateCaller,
  asked: AskedWithdrawal,
): Promise<{ readonly withdrawal: WithdrawalRow; readonly isReplay: boolean }> {
  const place = await accessWithdrawPlace(ctx, asked);
  const amount = readAmount(asked.amount, place.terms);
  const destination = await readTarget(ctx, caller, place, asked);
  const { row, isReplay } = await ctx.inTransaction((tx) =>
    writeRequest(ctx, tx, caller, { place, amount, destination, asked }),
  );
  ringEngine(ctx);
  const withdrawal = await awaitHeld(ctx, row);
  return { withdrawal, isReplay };
}

async function readTarget(
  ctx: TradingContext,
  { account, session }: PrivateCaller,
  place: WithdrawPlace,
  { address: text, memo = '', addressId }: AskedWithdrawal,
): Promise<Destination> {
  const familyId = familyOf(account);
  const coin = place.coin.symbol;
  const network = place.network.NetworkSymbol;
  if ((addressId === undefined) === (text === undefined) || (addressId !== undefined && memo)) {
    throw refuse(
      text === undefined ? 'PARAMETER_MISSING' : 'PARAMETER_CONFLICT',
      'Name either an address, with its memo if it has one, or addressId from your address book.',
      { parameter: 'address' },
    );
  }
  let entry: BookEntry | undefined;
  let target: { readonly address: string; readonly memo: string };
  if (addressId === undefined) {
    target = readDestination(place, { address: text ?? '', memo });
    entry = await matchEntry(ctx, ctx.db, { familyId, coin, network, ...target });
  } else {
    entry = await accessEntry(ctx, ctx.db, familyId, addressId);
    if (entry.coin !== coin || entry.network !== network) {
      throw refuse(
        'PARAMETER_CONFLICT',
        `A${addressId} is for ${entry.coin} on ${entry.network}, not for ${coin} on ${network}.`,
        { parameter: 'addressId' },
      );
    }
    target = { address: entry.address, memo: entry.memo };
  }
  if (entry === undefined && session === undefined) {
    throw refuse(
      'ADDRESS_NOT_IN_BOOK',
      'A key withdraws to addresses of the address book only. Its owner adds them, signed in with a browser.',
      { parameter: 'address' },
    );
  }
  const [own] = (await matchAddresses(ctx.db, network, [target.address])).values();
  const isOurs = own !== undefined && !isAltered(ctx, place.own, own);
  const toAccountId = isOurs ? own.accountId : null;
  if (toAccountId === account.id) {
    throw refuse('PARAMETER_CONFLICT', 'This is a deposit address of the same account.', {
      parameter: 'address',
    });
  }
  return { ...target, entry, toAccountId };
}

interface Asking {
  readonly place: WithdrawPlace;
  readonly amount: bigint;
  readonly destination: Destination;
  readonly asked: AskedWithdrawal;
}

async function writeRequest(
  ctx: TradingContext,
  tx: Tx,
  caller: PrivateCaller,
  { place, amount, destination, asked }: Asking,
): Promise<{ row: WithdrawalRow; isReplay: boolean }> {
  const { account, session } = caller;
  const { terms, isActive } = place;
  const familyId = familyOf(account);
  const coin = place.coin.symbol;
  const network = place.network.NetworkSymbol;
  const { address, memo, entry, toAccountId } = destination;
  const { clientWithdrawId, note } = asked;
  // Requests of a family come one after the other, so that together they stay within its limits.
  await lockFamily(tx, familyId);
  const known =
    clientWithdrawId === '' ? undefined : await findByClientId(tx, account.id, clientWithdrawId);
  if (known !== undefined) {
    const same = { coin, network, amount, address, memo };
    if (!isSame(known, same)) throw usedDifferently(clientWithdrawId);
    return { row: known, isReplay: true };
  }
  const held = await holdOwner(tx, account.id);
  if (held.isSuspended) throw refuse('ACCOUNT_SUSPENDED', SUSPENDED);
  const nowMs = ctx.clock.now();
  const recent = await listCounted(tx, { familyId, coin }, nowMs);
  const fee = feeOf(terms, { isInternal: toAccountId !== null });
  const facts = { amount, fee, terms, isActive, recent, nowMs };
  const failing = check({ ...factsOf(held.withdrawFreezeUntil, entry), ...facts }).find(
    ({ ok }) => !ok,
  );
  if (failing !== undefined) throw refuseFor(failing, place, terms);
  if (recent.length >= RECENT_MAX) {
    throw refuse('WITHDRAW_LIMIT', `At most ${RECENT_MAX} withdrawals in 24 hours.`, {
      limit: String(RECENT_MAX),
    });
  }
  const withdrawId = await drawWithdrawalId(tx);
  const requestedBy = signerOf(caller);
  const [commandId] = await insertCustodyCommands(
    tx,
    [
      encodeCommand({
        type: 'request_withdrawal',
        withdrawalId: movementOf(withdrawId),
        account: Number(account.id),
        coin,
        network,
        amount,
        fee,
      }),
    ],
    requestedBy,
  );
  assert(commandId !== undefined, 'a row has an id');
  const row = await addWithdrawal(tx, {
    withdrawId,
    commandId,
    accountId: account.id,
    familyId,
    clientWithdrawId,
    coin,
    network,
    amount,
    fee,
    address,
    memo,
    addressId: entry?.id ?? null,
    note,
    toAccountId,
    // A key that may withdraw is bound to addresses of its own; a browser shows a second factor for each.
    needsConfirmation: session !== undefined,
    confirmBy: new Date(nowMs + CONFIRM_WITHIN_MS),
    approvalsNeeded: approvalsFor(amount, terms, { isTrusted: entry !== undefined }),
    requestedBy,
    createdAt: new Date(nowMs),
  });
  return { row, isReplay: false };
}

const isSame = (
  known: WithdrawalRow,
  asked: Pick<WithdrawalRow, 'coin' | 'network' | 'amount' | 'address' | 'memo'>,
): boolean =>
  known.coin === asked.coin &&
  known.network === asked.network &&
  known.amount === asked.amount &&
  known.address === asked.address &&
  known.memo === asked.memo;

const usedDifferently = (clientWithdrawId: string) =>
  refuse(
    'CLIENT_ID_CONFLICT',
    `clientWithdrawId '${clientWithdrawId}' was used for another withdrawal with other terms. Use a new one.`,
    { parameter: 'clientWithdrawId' },
  );

/** The refusal of the first check that fails. */
function refuseFor({ name, availableAtMs }: Check, place: WithdrawPlace, terms: WithdrawTerms) {
  const when = availableAtMs === undefined ? {} : { availableAt: String(availableAtMs) };
  const at = availableAtMs === undefined ? '' : new Date(availableAtMs).toISOString();
  switch (name) {
    case 'network_active':
      return refuse(
        'WITHDRAW_NOT_ACTIVE',
        `Withdrawals on the network ${place.network.NetworkSymbol} are paused now.`,
        { network: place.network.NetworkSymbol },
      );
    case 'minimum':
      return refuse(
        'WITHDRAW_TOO_SMALL',
        `A withdrawal is at least ${formatAmount(terms.minimum)}, and more than its fee of ${formatAmount(terms.fee)}.`,
        { parameter: 'amount', minimum: formatAmount(terms.minimum) },
      );
    case 'not_frozen':
      return refuse(
        'WITHDRAW_FROZEN',
        `Withdrawals are frozen until ${at}, because what opens the account changed, or a deposit of it is in doubt.`,
        { until: String(availableAtMs) },
      );
    case 'address_age':
      return refuse('ADDRESS_NOT_USABLE_YET', `Coins may go to this address from ${at} on.`, {
        usableAt: String(availableAtMs),
      });
    case 'daily_limit':
      return refuse(
        'WITHDRAW_LIMIT',
        availableAtMs === undefined
          ? `Within 24 hours at most ${formatAmount(terms.familyDayMax)} may be withdrawn.`
          : `Within 24 hours at most ${formatAmount(terms.familyDayMax)} may be withdrawn; so much is possible from ${at} on.`,
        { limit: formatAmount(terms.familyDayMax), ...when },
      );
    case 'funds':
      return refuse('INSUFFICIENT_FUNDS', 'The account has less than that.');
  }
}

/** Returns it when the ledger holds the amount; throws the ledger's refusal. */
export async function awaitHeld(ctx: TradingContext, row: WithdrawalRow): Promise<WithdrawalRow> {
  if (row.status !== 'requested') return row;
  await awaitCommand(ctx, row.commandId, ctx.config.ENGINE_ANSWER_MS);
  const followed = await ctx.inTransaction((tx) => followWithdrawal(ctx, tx, row.withdrawId));
  if (followed.status === 'rejected') {
    const { result } = await getCommand(ctx.db, followed.commandId);
    if (result?.kind === 'rejected') throw fromRejection(withAmounts(result.rejection));
    throw refuse('INTERNAL', 'The engine could not bear this withdrawal. Nothing was withdrawn.');
  }
  // Within the venue it is paid by now: the ledger has one more command.
  if (!followed.isBooked) ringEngine(ctx);
  if (followed.status !== 'requested') return followed;
  throw refuse(
    'TIMEOUT',
    'The engine has not answered yet. The withdrawal is written down and will be made or refused; look it up, or repeat the call with the same clientWithdrawId, to learn which.',
    { withdrawId: movementOf(row.withdrawId) },
  );
}
