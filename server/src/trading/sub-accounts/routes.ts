import { Type } from 'typebox';
import { Answer } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import { REPLAY_HEADER } from '../orders/shapes.ts';
import { DecimalText } from '../orders/terms.ts';
import { Page, PAGE_PARAMS } from '../pages.ts';
import { CoinSymbol } from '../values.ts';
import { listOwnSubAccounts, pageTransfers, requireMain } from './access.ts';
import { closeSubAccount, createSubAccount, renameSubAccount } from './actions.ts';
import {
  AccountId,
  ClientTransferId,
  Label,
  SubAccount,
  toSubAccount,
  toTransfer,
  Transfer,
} from './shapes.ts';
import { transferWithin } from './transfer.ts';

const REPLAYED = { [REPLAY_HEADER]: 'true' };

export const postSubAccount = tradingRoute({
  name: 'privateSubAccountCreate',
  method: 'POST',
  path: '/private/sub_account/create',
  access: 'transfer',
  audit: ['sub_account create'],
  summary:
    'Opens a sub-account of the main account: with money, keys, rate limit and order limits of its own, and one family with the others for self-trade prevention and fees. A label that is in use answers the sub-account that has it, with the header `X-SVC-IDEMPOTENT-REPLAY: true`. Its owner makes its keys, signed in with a browser.',
  params: Type.Object({ label: Label }),
  returns: SubAccount,
  headers: [REPLAY_HEADER],
  errors: ['SUB_ACCOUNT_LIMIT'],
  async handle(ctx, caller, { label }) {
    requireMain(caller);
    const { account, isReplay } = await createSubAccount(ctx, caller.account, label);
    const shown = toSubAccount(account);
    return isReplay ? new Answer(shown, REPLAYED) : shown;
  },
});

export const getSubAccounts = tradingRoute({
  name: 'privateSubAccountList',
  method: 'GET',
  path: '/private/sub_account/list',
  access: 'read',
  whileSuspended: true,
  summary:
    'The sub-accounts of a main account, oldest first; a key of a sub-account sees that one.',
  params: Type.Object({
    includeClosed: Type.Optional(
      Type.Boolean({ description: 'Shows closed ones too. False when absent.' }),
    ),
  }),
  returns: Type.Array(SubAccount),
  async handle(ctx, caller, { includeClosed = false }) {
    return (await listOwnSubAccounts(ctx, caller, includeClosed)).map(toSubAccount);
  },
});

export const postSubAccountUpdate = tradingRoute({
  name: 'privateSubAccountUpdate',
  method: 'POST',
  path: '/private/sub_account/update',
  access: 'transfer',
  audit: ['sub_account rename'],
  summary: 'Gives a sub-account another label.',
  params: Type.Object({ accountId: AccountId, label: Label }),
  returns: SubAccount,
  errors: ['SUB_ACCOUNT_UNKNOWN', 'PARAMETER_CONFLICT'],
  async handle(ctx, caller, { accountId, label }) {
    requireMain(caller);
    return toSubAccount(await renameSubAccount(ctx, caller.account, BigInt(accountId), label));
  },
});

export const deleteSubAccount = tradingRoute({
  name: 'privateSubAccountClose',
  method: 'DELETE',
  path: '/private/sub_account/close',
  access: 'transfer',
  audit: ['sub_account close'],
  summary:
    'Closes a sub-account that has no money and no orders, for good. Its keys are deleted; its history stays.',
  params: Type.Object({ accountId: AccountId }),
  returns: SubAccount,
  errors: ['SUB_ACCOUNT_UNKNOWN', 'SUB_ACCOUNT_NOT_EMPTY', 'TIMEOUT'],
  async handle(ctx, caller, { accountId }) {
    requireMain(caller);
    return toSubAccount(await closeSubAccount(ctx, caller.account, BigInt(accountId)));
  },
});

export const postTransfer = tradingRoute({
  name: 'privateSubAccountTransfer',
  method: 'POST',
  path: '/private/sub_account/transfer',
  access: 'transfer',
  audit: { none: 'own transfers' },
  summary:
    'Moves money between two accounts of the family. A key of the main account names any two of them, a key of a sub-account gives from that one only. The same `clientTransferId` with the same terms answers the transfer that was made, with the header `X-SVC-IDEMPOTENT-REPLAY: true`; after a refusal the id is free again.',
  params: Type.Object({
    fromAccountId: AccountId,
    toAccountId: AccountId,
    coin: CoinSymbol,
    amount: DecimalText('How much; at most 18 decimals.', '250.5'),
    clientTransferId: ClientTransferId,
  }),
  returns: Transfer,
  headers: [REPLAY_HEADER],
  errors: [
    'TIMEOUT',
    'PARAMETER_CONFLICT',
    'UNKNOWN_COIN',
    'INSUFFICIENT_FUNDS',
    'CLIENT_ID_CONFLICT',
    'SUB_ACCOUNT_UNKNOWN',
  ],
  async handle(ctx, caller, asked) {
    const { transfer, isReplay } = await transferWithin(ctx, caller, asked);
    const shown = toTransfer(transfer);
    return isReplay ? new Answer(shown, REPLAYED) : shown;
  },
});

export const getTransfers = tradingRoute({
  name: 'privateSubAccountTransfers',
  method: 'GET',
  path: '/private/sub_account/transfers',
  access: 'read',
  whileSuspended: true,
  summary:
    'Transfers within the family; a key of a sub-account sees those that the account gave or got. What was refused is not among them.',
  params: Type.Object({ ...PAGE_PARAMS }),
  returns: Page(Transfer),
  errors: ['CURSOR_INVALID'],
  handle: pageTransfers,
});
