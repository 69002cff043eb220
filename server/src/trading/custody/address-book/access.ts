// The address book of a family: which entries there are, and which of them may be paid to.
import { RE2JS } from 're2js';
import { familyOf } from '../../../accounts/trading-keys/key.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Network } from '../../coins/coin.ts';
import type { TradingContext } from '../../context.ts';
import type { PrivateCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import type { OwnNetwork } from '../networks.ts';
import { isGenuineEntry, type BookEntry, type NewEntry } from './entry.ts';
import { findEntry, findEntryOf, listEntries } from './store.ts';

/** For operators, who look at what somebody else wrote. */
export { listEntriesByIds } from './store.ts';

/** Entries of one family on one network. */
export const ENTRIES_MAX = 100;
/** Of all networks together; more are not shown. */
const SHOWN_MAX = 5000;

export const listOwnEntries = (
  ctx: TradingContext,
  { account }: PrivateCaller,
  coin: string | undefined,
): Promise<BookEntry[]> => listEntries(ctx.db, familyOf(account), { coin, limit: SHOWN_MAX });

export async function accessEntry(
  ctx: Context,
  db: Db,
  familyId: bigint,
  id: bigint,
): Promise<BookEntry> {
  const entry = await findEntry(db, familyId, id);
  if (entry === undefined) {
    throw refuse('ADDRESS_NOT_IN_BOOK', `Your address book has no entry A${id}.`, {
      parameter: 'addressId',
    });
  }
  return checkEntry(ctx, entry);
}

/** The entry of this very address, if the book has one. */
export async function matchEntry(
  ctx: Context,
  db: Db,
  wanted: Pick<NewEntry, 'familyId' | 'coin' | 'network' | 'address' | 'memo'>,
): Promise<BookEntry | undefined> {
  const entry = await findEntryOf(db, wanted);
  return entry && checkEntry(ctx, entry);
}

/** A row that somebody altered is an alarm, and no coins go there. */
function checkEntry(ctx: Context, entry: BookEntry): BookEntry {
  if (isGenuineEntry(ctx.secrets, entry)) return entry;
  ctx.metrics.custodyAddressAltered();
  ctx.log.error(
    { network: entry.network, addressId: `A${entry.id}` },
    'A row of withdraw_addresses is not as it was written. Nothing is paid by it. Compare the database with a backup.',
  );
  throw refuse('INTERNAL', 'The address cannot be used. The operators have been told.');
}

/** Operators write these patterns, and strangers the text: matched in linear time. */
const matches = (pattern: string, text: string): boolean =>
  RE2JS.compile(pattern).matcher(text).find();

/** Reads an address and its memo as the network wants them; throws a refusal. */
export function readDestination(
  { own, network }: { readonly own: OwnNetwork; readonly network: Network },
  { address: text, memo }: { readonly address: string; readonly memo: string },
): { readonly address: string; readonly memo: string } {
  const { NetworkSymbol, addressRegex, contractAddress, memoRequired, memoRegex } = network;
  const address = own.ownChain.readAddress(text);
  if (address === undefined || !matches(addressRegex, address)) {
    throw refuse(
      'ADDRESS_INVALID',
      `This is no address of the network ${NetworkSymbol}, or a digit of it is wrong.`,
      { parameter: 'address' },
    );
  }
  if (contractAddress !== '' && address.toLowerCase() === contractAddress.toLowerCase()) {
    throw refuse(
      'ADDRESS_INVALID',
      'This is the contract of the token itself. Coins that are sent there are lost.',
      { parameter: 'address' },
    );
  }
  const isMissing = memoRequired && memo === '';
  if (isMissing || (memo !== '' && (memoRegex === '' || !matches(memoRegex, memo)))) {
    throw refuse(
      'MEMO_INVALID',
      isMissing
        ? `The network ${NetworkSymbol} needs a memo.`
        : `The network ${NetworkSymbol} takes no such memo.`,
      { parameter: 'memo' },
    );
  }
  return { address, memo };
}
