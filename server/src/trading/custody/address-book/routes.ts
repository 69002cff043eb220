import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { CoinSymbol } from '../../values.ts';
import { NetworkSymbol } from '../addresses/shapes.ts';
import { listOwnEntries } from './access.ts';
import { addEntry, removeEntry } from './actions.ts';
import {
  Address,
  AddressBookEntry,
  AddressId,
  entryIdOf,
  Memo,
  toAddressBookEntry,
} from './shapes.ts';

export const getWithdrawAddresses = tradingRoute({
  name: 'privateWalletWithdrawAddresses',
  method: 'GET',
  path: '/private/wallet/withdraw_addresses',
  access: 'read',
  whileSuspended: true,
  summary: 'The address book of the account and its family, oldest first.',
  params: Type.Object({ coin: Type.Optional(CoinSymbol) }),
  returns: Type.Array(AddressBookEntry),
  async handle(ctx, caller, { coin }) {
    return (await listOwnEntries(ctx, caller, coin)).map(toAddressBookEntry);
  },
});

export const postWithdrawAddress = tradingRoute({
  name: 'privateWalletWithdrawAddressAdd',
  method: 'POST',
  path: '/private/wallet/withdraw_address_add',
  access: 'session',
  stepUp: 'each',
  audit: ['withdraw_address add'],
  summary:
    'Adds an address to the book. Coins may go there 24 hours later. An address that is in the book already keeps its time.',
  params: Type.Object({
    coin: CoinSymbol,
    network: Type.Optional(NetworkSymbol),
    address: Address,
    memo: Type.Optional(Memo),
    label: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: '^[^\\p{C}]*$',
        description: 'What you call it, at most 64 characters.',
        examples: ['ledger'],
      }),
    ),
  }),
  returns: AddressBookEntry,
  errors: [
    'UNKNOWN_COIN',
    'UNKNOWN_NETWORK',
    'WITHDRAW_NOT_ACTIVE',
    'ADDRESS_INVALID',
    'MEMO_INVALID',
    'ADDRESS_LIMIT',
  ],
  async handle(ctx, caller, { memo = '', label = '', ...asked }) {
    return toAddressBookEntry(await addEntry(ctx, caller, { ...asked, memo, label }));
  },
});

export const deleteWithdrawAddress = tradingRoute({
  name: 'privateWalletWithdrawAddressRemove',
  method: 'DELETE',
  path: '/private/wallet/withdraw_address_remove',
  access: 'session',
  stepUp: 'each',
  audit: ['withdraw_address remove'],
  summary: 'Removes an address from the book. Withdrawals that are under way go on.',
  params: Type.Object({ addressId: AddressId }),
  returns: AddressBookEntry,
  errors: ['ADDRESS_NOT_IN_BOOK'],
  async handle(ctx, caller, { addressId }) {
    return toAddressBookEntry(await removeEntry(ctx, caller, entryIdOf(addressId)));
  },
});
