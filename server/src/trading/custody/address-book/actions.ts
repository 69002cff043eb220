// Adds addresses to the book of a family, and removes them.
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { familyOf } from '../../../accounts/trading-keys/key.ts';
import type { TradingContext } from '../../context.ts';
import type { SessionCaller } from '../../http/authenticate.ts';
import { refuse } from '../../http/errors.ts';
import { accessPlace, type AskedPlace } from '../place.ts';
import { accessEntry, ENTRIES_MAX, matchEntry, readDestination } from './access.ts';
import { proveEntry, USABLE_AFTER_MS, type BookEntry } from './entry.ts';
import { countEntries, insertEntry, lockBook, updateRemoved } from './store.ts';

export interface AskedEntry extends AskedPlace {
  readonly address: string;
  readonly memo: string;
  readonly label: string;
}

/** An address that is in the book already is the answer, with the time that it has. */
export async function addEntry(
  ctx: TradingContext,
  { account, session }: SessionCaller,
  asked: AskedEntry,
): Promise<BookEntry> {
  const { coin, network, own } = await accessPlace(ctx, asked);
  if (own === undefined) {
    throw refuse(
      'WITHDRAW_NOT_ACTIVE',
      `${coin.symbol} cannot be withdrawn on the network ${network.NetworkSymbol} here.`,
      { coin: coin.symbol, network: network.NetworkSymbol },
    );
  }
  const familyId = familyOf(account);
  const destination = {
    familyId,
    coin: coin.symbol,
    network: network.NetworkSymbol,
    ...readDestination({ own, network }, asked),
  };
  return ctx.inTransaction(async (tx) => {
    await lockBook(tx, familyId);
    const known = await matchEntry(ctx, tx, destination);
    if (known !== undefined) {
      noteNothing(tx);
      return known;
    }
    if ((await countEntries(tx, familyId, destination.network)) >= ENTRIES_MAX) {
      throw refuse(
        'ADDRESS_LIMIT',
        `An address book has at most ${ENTRIES_MAX} addresses of a network. Remove one first.`,
        { limit: String(ENTRIES_MAX) },
      );
    }
    const nowMs = ctx.clock.now();
    const claim = { ...destination, usableAt: new Date(nowMs + USABLE_AFTER_MS) };
    const entry = await insertEntry(tx, {
      ...claim,
      label: asked.label,
      createdAt: new Date(nowMs),
      proof: proveEntry(ctx.secrets, claim),
    });
    noteAct(tx, {
      act: 'withdraw_address add',
      subject: `account ${familyId}`,
      after: { coin: entry.coin, network: entry.network, address: entry.address, memo: entry.memo },
      details: { userId: session.user.id, addressId: `A${entry.id}` },
    });
    return entry;
  });
}

export async function removeEntry(
  ctx: TradingContext,
  { account, session }: SessionCaller,
  id: bigint,
): Promise<BookEntry> {
  const familyId = familyOf(account);
  return ctx.inTransaction(async (tx) => {
    await lockBook(tx, familyId);
    const entry = await accessEntry(ctx, tx, familyId, id);
    await updateRemoved(tx, id, new Date(ctx.clock.now()));
    noteAct(tx, {
      act: 'withdraw_address remove',
      subject: `account ${familyId}`,
      before: { coin: entry.coin, network: entry.network, address: entry.address },
      details: { userId: session.user.id, addressId: `A${entry.id}` },
    });
    return entry;
  });
}
