// The proof of reserves as callers see it.
import { Type, type Static } from 'typebox';
import { Choice, Count, Decimal, MaybeDecimal, MaybeMillis } from '../../values.ts';
import { NetworkSymbol } from '../addresses/shapes.ts';

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const Units = (description: string) => Count(`${description}, in units of 10⁻¹⁸.`);
const PublicationId = Type.String({
  pattern: '^[0-9]*$',
  description: 'The publication; empty while there is none.',
  examples: ['12'],
});
const Coin = Type.String({ description: 'Coin symbol.', examples: ['ltc'] });

export const ReserveChain = Type.Object(
  {
    network: NetworkSymbol,
    height: Count('The block as of which the coins were counted.'),
    blockHash: Type.String({ description: 'Its hash.' }),
    onChain: Decimal('What addresses of the venue had there.'),
  },
  { title: 'ReserveChain' },
);

export const ReserveCoin = Type.Object(
  {
    coin: Coin,
    root: Hash('The root of the tree of what the venue owes.'),
    liabilities: Decimal('What it owes: the sum of all leaves.'),
    leaves: Count('How many leaves the tree has.'),
    engineSeq: Count('The event of the engine as of which the sums are.'),
    onChain: Decimal('What it holds on all networks together.'),
    ratio: MaybeDecimal('What it holds by what it owes, rounded down; empty if it owes nothing.'),
    networks: Type.Array(ReserveChain, { description: 'What it holds, network by network.' }),
  },
  { title: 'ReserveCoin' },
);
export type ReserveCoin = Static<typeof ReserveCoin>;

export const Reserves = Type.Object(
  {
    publicationId: PublicationId,
    publishedAt: MaybeMillis('When it was published; empty while there is none.'),
    coins: Type.Array(ReserveCoin, { description: 'Each coin, by its symbol.' }),
  },
  { title: 'Reserves' },
);
export type Reserves = Static<typeof Reserves>;

export const ReserveAddress = Type.Object(
  {
    address: Type.String({ description: 'An address of the venue.' }),
    amount: Decimal('What it had as of the block of the publication.'),
    statement: Type.String({
      description:
        'What its key has signed: venue, network, block and address. Empty if it has not.',
    }),
    signature: Type.String({
      description:
        'The signature of the statement: EIP-191, or the simple form of BIP-322. Empty for the cold wallet, whose key is elsewhere.',
    }),
  },
  { title: 'ReserveAddress' },
);
export type ReserveAddress = Static<typeof ReserveAddress>;

const ReserveStep = Type.Object(
  {
    side: Choice(['left', 'right'], 'On which side of the path this neighbour is.'),
    units: Units('The sum of everything below it'),
    hash: Hash('Its hash.'),
  },
  { title: 'ReserveStep' },
);

export const ReserveLeaf = Type.Object(
  {
    publicationId: PublicationId,
    coin: Coin,
    accountId: Type.String({ description: 'The account.', examples: ['7'] }),
    salt: Hash('The secret of this leaf: who has it can tell that the leaf is yours.'),
    units: Units('What the account had: available, held and on its way out'),
    path: Type.Array(ReserveStep, { description: 'The neighbours from the leaf to the root.' }),
    root: Hash('The root that was published.'),
    rootUnits: Units('The sum that was published'),
  },
  { title: 'ReserveLeaf' },
);
export type ReserveLeaf = Static<typeof ReserveLeaf>;
