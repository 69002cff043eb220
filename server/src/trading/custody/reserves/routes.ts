import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { CoinSymbol } from '../../values.ts';
import { NetworkSymbol } from '../addresses/shapes.ts';
import { listOwnLeaves, pageReserveAddresses, readReserves } from './access.ts';
import { ReserveAddress, ReserveLeaf, Reserves } from './shapes.ts';

const ADDRESSES_MAX = 1000;
const ADDRESSES_USUAL = 100;

export const getReserves = tradingRoute({
  name: 'publicReserves',
  method: 'GET',
  path: '/public/reserves',
  access: 'public',
  summary:
    'The newest proof of reserves: what the venue owes in each coin, with the root of the tree, and what it holds on chains as of which blocks.',
  params: Type.Object({}),
  returns: Reserves,
  handle: (ctx) => readReserves(ctx.db),
});

export const getReserveAddresses = tradingRoute({
  name: 'publicReserveAddresses',
  method: 'GET',
  path: '/public/reserve_addresses',
  access: 'public',
  summary:
    'The addresses of the newest proof of reserves that had something of a coin on a network, in the order of their letters.',
  params: Type.Object({
    coin: CoinSymbol,
    network: NetworkSymbol,
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The last address of the page before; the first page when absent.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ADDRESSES_MAX,
        description: `How many; ${ADDRESSES_USUAL} when absent.`,
      }),
    ),
  }),
  returns: Type.Array(ReserveAddress),
  handle: (ctx, _caller, { coin, network, after = '', limit = ADDRESSES_USUAL }) =>
    pageReserveAddresses(ctx.db, { coin, network, after, limit }),
});

export const getOwnReserves = tradingRoute({
  name: 'privateAccountReserves',
  method: 'GET',
  path: '/private/account/reserves',
  access: 'read',
  whileSuspended: true,
  summary:
    'The leaves of the account in the newest proof of reserves, each with its path to the root. Save the answer: `rialto verify-reserves` checks it without a connection.',
  params: Type.Object({ coin: Type.Optional(CoinSymbol) }),
  returns: Type.Array(ReserveLeaf),
  handle: (ctx, { account }, { coin }) => listOwnLeaves(ctx.db, account.id, coin),
});
