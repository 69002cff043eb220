import { Type } from 'typebox';
import { tradingRoute } from '../../http/route.ts';
import { Page, PAGE_PARAMS } from '../../pages.ts';
import { Choice, CoinSymbol } from '../../values.ts';
import { NetworkSymbol } from '../addresses/shapes.ts';
import { pageDeposits } from './access.ts';
import { Deposit, DEPOSIT_STATUSES } from './shapes.ts';

export const getDeposits = tradingRoute({
  name: 'privateWalletDeposits',
  method: 'GET',
  path: '/private/wallet/deposits',
  access: 'read',
  whileSuspended: true,
  summary: 'What came to the deposit addresses of the account, also before it is credited.',
  params: Type.Object({
    coin: Type.Optional(CoinSymbol),
    network: Type.Optional(NetworkSymbol),
    status: Type.Optional(Choice(DEPOSIT_STATUSES, 'Only deposits with this status.')),
    txid: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only deposits of this transaction.' }),
    ),
    ...PAGE_PARAMS,
  }),
  returns: Page(Deposit),
  errors: ['CURSOR_INVALID'],
  handle: (ctx, caller, { coin, network, status, txid, ...page }) =>
    pageDeposits(ctx, caller, { coin, network, status, txid }, page),
});
