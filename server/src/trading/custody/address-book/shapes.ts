import { Type, type Static } from 'typebox';
import { Millis, toMillis } from '../../values.ts';
import type { BookEntry } from './entry.ts';

export const AddressId = Type.String({
  pattern: '^A[1-9][0-9]{0,17}$',
  description: 'The id of an entry of the address book.',
  examples: ['A7'],
});

/** The number behind an id of this form. */
export const entryIdOf = (addressId: string): bigint => BigInt(addressId.slice(1));

export const Address = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'An address of the network.',
  examples: ['ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
});

export const Memo = Type.String({
  maxLength: 100,
  description: 'The memo or tag, where the network needs one.',
});

export const AddressBookEntry = Type.Object(
  {
    addressId: Type.String({ description: 'Its id.', examples: ['A7'] }),
    coin: Type.String({ description: 'Coin symbol.', examples: ['ltc'] }),
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    address: Type.String({ description: 'Where coins go.' }),
    memo: Type.String({ description: 'The memo or tag; may be empty.' }),
    label: Type.String({ description: 'What its owner calls it; may be empty.' }),
    usableAt: Millis('From when on coins may go there: 24 hours after it was added.'),
    createdAt: Millis('When it was added.'),
  },
  { title: 'AddressBookEntry' },
);
export type AddressBookEntry = Static<typeof AddressBookEntry>;

export const toAddressBookEntry = (entry: BookEntry): AddressBookEntry => ({
  addressId: `A${entry.id}`,
  coin: entry.coin,
  network: entry.network,
  address: entry.address,
  memo: entry.memo,
  label: entry.label,
  usableAt: toMillis(entry.usableAt),
  createdAt: toMillis(entry.createdAt),
});
