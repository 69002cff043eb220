import { Type } from 'typebox';
import { Answer } from '../../http/envelope.ts';
import { tradingRoute } from '../../http/route.ts';
import { REPLAY_HEADER } from '../../orders/shapes.ts';
import { DecimalText } from '../../orders/terms.ts';
import { Page, PAGE_PARAMS } from '../../pages.ts';
import { Choice, CoinSymbol } from '../../values.ts';
import { Address, AddressId, entryIdOf, Memo } from '../address-book/shapes.ts';
import { NetworkSymbol } from '../addresses/shapes.ts';
import { pageWithdrawals, quoteWithdrawal } from './access.ts';
import { cancelWithdrawal, confirmWithdrawal } from './actions.ts';
import { requestWithdrawal } from './request.ts';
import {
  ClientWithdrawId,
  toWithdrawal,
  Withdrawal,
  withdrawalIdOf,
  WithdrawId,
  WithdrawQuote,
} from './shapes.ts';
import { WITHDRAWAL_STATUSES } from './status.ts';

const Amount = DecimalText('What leaves the account; the fee is inside it.', '0.05');
const idOf = (addressId: string | undefined) =>
  addressId === undefined ? undefined : entryIdOf(addressId);

export const getWithdrawQuote = tradingRoute({
  name: 'privateWalletWithdrawQuote',
  method: 'GET',
  path: '/private/wallet/withdraw_quote',
  access: 'read',
  whileSuspended: true,
  summary:
    'What a withdrawal would cost, how much may still be withdrawn today, and which checks would fail. Without `network`, the default network of the coin.',
  params: Type.Object({
    coin: CoinSymbol,
    network: Type.Optional(NetworkSymbol),
    amount: Amount,
    addressId: Type.Optional(AddressId),
  }),
  returns: WithdrawQuote,
  errors: [
    'UNKNOWN_COIN',
    'UNKNOWN_NETWORK',
    'WITHDRAW_NOT_ACTIVE',
    'ADDRESS_NOT_IN_BOOK',
    'TIMEOUT',
  ],
  handle: (ctx, caller, { addressId, ...asked }) =>
    quoteWithdrawal(ctx, caller, { ...asked, addressId: idOf(addressId) }),
});

export const postWithdraw = tradingRoute({
  name: 'privateWalletWithdraw',
  method: 'POST',
  path: '/private/wallet/withdraw',
  access: 'withdraw',
  audit: { none: 'own withdrawals' },
  summary:
    'Asks for a withdrawal: the amount is held at once. A key withdraws to usable addresses of the address book only; a session confirms with `withdraw_confirm` within 30 minutes. The same `clientWithdrawId` with the same terms answers the withdrawal that was made, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; after a refusal the id is free again.',
  params: Type.Object({
    coin: CoinSymbol,
    network: Type.Optional(NetworkSymbol),
    amount: Amount,
    address: Type.Optional(Address),
    memo: Type.Optional(Memo),
    addressId: Type.Optional(AddressId),
    clientWithdrawId: Type.Optional(ClientWithdrawId),
    note: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[^\\p{C}]*$',
        description: 'A note for yourself, at most 200 characters.',
      }),
    ),
  }),
  returns: Withdrawal,
  headers: [REPLAY_HEADER],
  errors: [
    'UNKNOWN_COIN',
    'UNKNOWN_NETWORK',
    'PARAMETER_CONFLICT',
    'WITHDRAW_NOT_ACTIVE',
    'WITHDRAW_TOO_SMALL',
    'WITHDRAW_FROZEN',
    'WITHDRAW_LIMIT',
    'ADDRESS_INVALID',
    'MEMO_INVALID',
    'ADDRESS_NOT_IN_BOOK',
    'ADDRESS_NOT_USABLE_YET',
    'INSUFFICIENT_FUNDS',
    'CLIENT_ID_CONFLICT',
    'TIMEOUT',
  ],
  async handle(ctx, caller, asked) {
    const { withdrawal, isReplay } = await requestWithdrawal(ctx, caller, {
      coin: asked.coin,
      network: asked.network,
      amount: asked.amount,
      address: asked.address,
      memo: asked.memo,
      addressId: idOf(asked.addressId),
      clientWithdrawId: asked.clientWithdrawId ?? '',
      note: asked.note ?? '',
    });
    const shown = toWithdrawal(withdrawal);
    return isReplay ? new Answer(shown, { [REPLAY_HEADER]: 'true' }) : shown;
  },
});

export const postWithdrawConfirm = tradingRoute({
  name: 'privateWalletWithdrawConfirm',
  method: 'POST',
  path: '/private/wallet/withdraw_confirm',
  access: 'session',
  stepUp: 'each',
  audit: { none: 'own withdrawals' },
  summary: 'Confirms a withdrawal that a session asked for, with a second factor.',
  params: Type.Object({ withdrawId: WithdrawId }),
  returns: Withdrawal,
  errors: ['WITHDRAWAL_UNKNOWN', 'WITHDRAW_FINAL', 'WITHDRAW_FROZEN', 'TIMEOUT'],
  async handle(ctx, caller, { withdrawId }) {
    return toWithdrawal(await confirmWithdrawal(ctx, caller, withdrawalIdOf(withdrawId)));
  },
});

export const deleteWithdraw = tradingRoute({
  name: 'privateWalletWithdrawCancel',
  method: 'DELETE',
  path: '/private/wallet/withdraw_cancel',
  access: 'withdraw',
  whileSuspended: true,
  audit: { none: 'own withdrawals' },
  summary: 'Takes a withdrawal back, as long as nothing of it is signed.',
  params: Type.Object({ withdrawId: WithdrawId }),
  returns: Withdrawal,
  errors: ['WITHDRAWAL_UNKNOWN', 'WITHDRAW_FINAL', 'TIMEOUT'],
  async handle(ctx, caller, { withdrawId }) {
    return toWithdrawal(await cancelWithdrawal(ctx, caller, withdrawalIdOf(withdrawId)));
  },
});

export const getWithdrawals = tradingRoute({
  name: 'privateWalletWithdrawals',
  method: 'GET',
  path: '/private/wallet/withdrawals',
  access: 'read',
  whileSuspended: true,
  summary: 'The withdrawals of the account, with what became of them.',
  params: Type.Object({
    coin: Type.Optional(CoinSymbol),
    network: Type.Optional(NetworkSymbol),
    status: Type.Optional(Choice(WITHDRAWAL_STATUSES, 'Only withdrawals with this status.')),
    txid: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only withdrawals of this transaction.' }),
    ),
    clientWithdrawId: Type.Optional(ClientWithdrawId),
    ...PAGE_PARAMS,
  }),
  returns: Page(Withdrawal),
  errors: ['CURSOR_INVALID'],
  handle: (ctx, caller, { coin, network, status, txid, clientWithdrawId, ...page }) =>
    pageWithdrawals(ctx, caller, { coin, network, status, txid, clientWithdrawId }, page),
});
