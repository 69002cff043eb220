// Gives accounts their deposit addresses.
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { assert } from '../../../platform/std/assert.ts';
import { refuse } from '../../http/errors.ts';
import type { OwnNetwork } from '../networks.ts';
import { checkGenuine } from './access.ts';
import { proveAddress, type AddressRow } from './address.ts';
import {
  countAddresses,
  drawIndex,
  findNewestAddress,
  insertAddress,
  insertAddressOnce,
  lockCounter,
} from './store.ts';

/** Deposit addresses of one account on one network. All of them stay valid, so each is watched for ever. */
const ADDRESSES_MAX = 100;

/** The newest address of the account, or its first, which is made now. */
export async function takeDepositAddress(
  ctx: Context,
  own: OwnNetwork,
  accountId: bigint,
): Promise<AddressRow> {
  const found = await findNewestAddress(ctx.db, own.network, accountId);
  return checkGenuine(ctx, own, found ?? (await addAddress(ctx, own, accountId, 'first')));
}

export async function createDepositAddress(
  ctx: Context,
  own: OwnNetwork,
  accountId: bigint,
): Promise<AddressRow> {
  return checkGenuine(ctx, own, await addAddress(ctx, own, accountId, 'further'));
}

function addAddress(
  ctx: Context,
  { network, ownChain }: OwnNetwork,
  accountId: bigint,
  which: 'first' | 'further',
): Promise<AddressRow> {
  return ctx.inTransaction(async (tx) => {
    await lockCounter(tx, network);
    // Two first requests at once get the same address.
    const other = which === 'first' ? await findNewestAddress(tx, network, accountId) : undefined;
    if (other !== undefined) return other;
    if ((await countAddresses(tx, network, accountId)) >= ADDRESSES_MAX) {
      throw refuse(
        'ADDRESS_LIMIT',
        `An account has at most ${ADDRESSES_MAX} deposit addresses on a network, and all of them stay valid. Use one again.`,
        { limit: String(ADDRESSES_MAX) },
      );
    }
    const index = await drawIndex(tx, network);
    if (index === undefined) throw refuse('DEPOSIT_NOT_ACTIVE', `${network} is not watched yet.`);
    const address = ownChain.addressAt(index);
    const claim = { network, purpose: 'deposit', accountId, index, address, memo: '' };
    return insertAddress(tx, { ...claim, proof: proveAddress(ctx.secrets, claim) });
  });
}

/**
 * The next addresses, of no account: those that a lost database had given out. What comes to them later on is `suspense`'s, and
 * they are given to nobody else. The caller knows that the network is watched.
 */
export async function addUnassigned(
  { secrets }: Pick<Context, 'secrets'>,
  tx: Db,
  { network, ownChain }: OwnNetwork,
  count: number,
): Promise<void> {
  for (let added = 0; added < count; added += 1) {
    const index = await drawIndex(tx, network);
    assert(index !== undefined, 'a network that is watched has a counter', { network });
    const address = ownChain.addressAt(index);
    const claim = { network, purpose: 'deposit', accountId: null, index, address, memo: '' };
    await insertAddress(tx, { ...claim, proof: proveAddress(secrets, claim) });
  }
}

/** An address of the venue's own, which gets what a payment leaves over. */
export async function insertChangeAddress(
  { secrets }: Pick<Context, 'secrets'>,
  tx: Db,
  place: { readonly network: string; readonly index: number; readonly address: string },
): Promise<void> {
  const claim = { ...place, purpose: 'change', accountId: null, memo: '' };
  await insertAddress(tx, { ...claim, proof: proveAddress(secrets, claim) });
}

/** The address from which withdrawals of an EVM chain are paid. Saying so again is harmless. */
export async function noteHotAddress(
  { secrets, db }: Pick<Context, 'secrets' | 'db'>,
  place: { readonly network: string; readonly address: string },
): Promise<void> {
  const claim = { ...place, purpose: 'hot', index: 0, accountId: null, memo: '' };
  await insertAddressOnce(db, { ...claim, proof: proveAddress(secrets, claim) });
}
