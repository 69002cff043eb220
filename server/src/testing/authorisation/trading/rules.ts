// The actors, the relations of an order to them, and the expected answers: written by hand, independently of how the
// server decides. An answer is `ok` or an error code.

export const ACTORS = [
  'nobody',
  'key to read',
  'key to trade',
  'key to transfer',
  'key to withdraw',
  'key to everything',
  'deleted key',
  'expired key',
  'key for another address',
  'key for another market',
  'key of a suspended account',
  'key of a deactivated person',
] as const;
export type Actor = (typeof ACTORS)[number];

/** The relation of the order to the actor. */
export const RELATIONS = [
  'own, open',
  'own, finished',
  "another's, open",
  "another's, finished",
  'nonexistent',
] as const;
export type Relation = (typeof RELATIONS)[number];

const MAY: Readonly<Partial<Record<Actor, readonly string[]>>> = {
  'key to read': ['read'],
  'key to trade': ['trade'],
  'key to transfer': ['transfer'],
  'key to withdraw': ['withdraw'],
};

/** The permission that a route requires; a route without a line fails the test. */
export const TAKES: Readonly<
  Record<string, 'read' | 'trade' | 'transfer' | 'withdraw' | 'key' | 'session'>
> = {
  privateAccountInfo: 'read',
  privateAccountBalances: 'read',
  privateAccountFees: 'read',
  privateAccountLedger: 'read',
  privateAccountStatement: 'read',
  privateAccountRateLimits: 'read',
  privateWalletDepositAddress: 'read',
  privateWalletCreateDepositAddress: 'read',
  privateWalletDeposits: 'read',
  privateAccountReserves: 'read',
  privateWalletWithdrawQuote: 'read',
  privateWalletWithdraw: 'withdraw',
  privateWalletWithdrawConfirm: 'session',
  privateWalletWithdrawCancel: 'withdraw',
  privateWalletWithdrawals: 'read',
  privateWalletWithdrawAddresses: 'read',
  privateWalletWithdrawAddressAdd: 'session',
  privateWalletWithdrawAddressRemove: 'session',
  privateApiKeyCreate: 'session',
  privateApiKeyList: 'session',
  privateApiKeyUpdate: 'session',
  privateApiKeyRotate: 'session',
  privateApiKeyDelete: 'key',
  streamsTicket: 'session',
  privateSubAccountCreate: 'transfer',
  privateSubAccountList: 'read',
  privateSubAccountUpdate: 'transfer',
  privateSubAccountClose: 'transfer',
  privateSubAccountTransfer: 'transfer',
  privateSubAccountTransfers: 'read',
  privateOrderCreate: 'trade',
  privateOrderTest: 'trade',
  privateOrderCreateBatch: 'trade',
  privateOrderCancel: 'trade',
  privateOrderCancelBatch: 'trade',
  privateOrderCancelAll: 'trade',
  privateOrderCancelAllAfter: 'trade',
  privateOrderAmend: 'trade',
  privateOrderReplace: 'trade',
  privateOrderLimitBuy: 'trade',
  privateOrderLimitSell: 'trade',
  privateOrderMarketBuy: 'trade',
  privateOrderMarketSell: 'trade',
  privateOrderStoplimitBuy: 'trade',
  privateOrderStoplimitSell: 'trade',
  privateOrderGet: 'read',
  privateOrderOpen: 'read',
  privateOrderHistory: 'read',
  privateOrderTrades: 'read',
  privateOrderPreventedMatches: 'read',
  privateOrderListCreateOco: 'trade',
  privateOrderListCreateBracket: 'trade',
  privateOrderListCancel: 'trade',
  privateOrderListGet: 'read',
  privateOrderListOpen: 'read',
  privateOrderReceipt: 'read',
};

/** Where money is simulated, as in these tests, there is no network to deposit from and none to pay on. */
export const ON_NETWORKS: ReadonlyMap<string, string> = new Map([
  ['privateWalletDepositAddress', '5004'],
  ['privateWalletCreateDepositAddress', '5004'],
  ['privateWalletWithdrawQuote', '5005'],
  ['privateWalletWithdraw', '5005'],
  ['privateWalletWithdrawConfirm', '5014'],
  ['privateWalletWithdrawCancel', '5014'],
  ['privateWalletWithdrawAddressAdd', '5005'],
  ['privateWalletWithdrawAddressRemove', '5008'],
]);

/** Parameters of those, which name nothing that exists. */
export const NETWORK_REQUESTS: Readonly<Record<string, Record<string, string>>> = {
  privateWalletDepositAddress: { coin: 'btc' },
  privateWalletCreateDepositAddress: { coin: 'btc' },
  privateWalletWithdrawQuote: { coin: 'btc', amount: '1' },
  privateWalletWithdraw: { coin: 'btc', amount: '1', addressId: 'A1' },
  privateWalletWithdrawConfirm: { withdrawId: 'W1' },
  privateWalletWithdrawCancel: { withdrawId: 'W1' },
  privateWalletWithdrawAddressAdd: { coin: 'btc', address: 'nowhere' },
  privateWalletWithdrawAddressRemove: { addressId: 'A1' },
};

/** Somebody whose account is suspended gets no new addresses. */
export const DEPOSIT_ADDRESSES: readonly string[] = [
  'privateWalletDepositAddress',
  'privateWalletCreateDepositAddress',
];

/** Short paths of `create`. */
const SHORT = [
  'privateOrderLimitBuy',
  'privateOrderLimitSell',
  'privateOrderMarketBuy',
  'privateOrderMarketSell',
  'privateOrderStoplimitBuy',
  'privateOrderStoplimitSell',
];

/** Routes that a suspended account may not use: it may only read and cancel. */
const RISKS = new Set([
  'privateOrderCreate',
  'privateOrderTest',
  'privateOrderCreateBatch',
  'privateOrderAmend',
  'privateOrderReplace',
  ...SHORT,
  'privateOrderListCreateOco',
  'privateOrderListCreateBracket',
  'privateSubAccountCreate',
  'privateSubAccountUpdate',
  'privateSubAccountClose',
  'privateSubAccountTransfer',
  ...DEPOSIT_ADDRESSES,
  'privateWalletWithdraw',
]);

/** Routes that name one order list, which has no id of the caller's. */
export const NAMING_LISTS: ReadonlySet<string> = new Set([
  'privateOrderListCancel',
  'privateOrderListGet',
]);

/** Routes that name one order or one list. */
export const NAMING = new Set([
  'privateOrderCancel',
  'privateOrderCancelBatch',
  'privateOrderAmend',
  'privateOrderReplace',
  'privateOrderGet',
  ...NAMING_LISTS,
  'privateOrderReceipt',
]);

/** Routes about a market or all markets, rather than about a named order. */
const IN_MARKET = new Set([
  'privateOrderCreate',
  'privateOrderTest',
  'privateOrderCreateBatch',
  'privateOrderReplace',
  ...SHORT,
  'privateOrderCancelAllAfter',
  'privateOrderListCreateOco',
  'privateOrderListCreateBracket',
]);

/** No usual key may withdraw: such a key is bound to addresses of its own. */
const WITHDRAWING: readonly Actor[] = ['key to withdraw', 'key to everything'];

export function expectedOf(route: string, actor: Actor, relation: Relation | undefined): string {
  const door = doorOf(route, actor);
  if (door !== 'ok') return door;
  const onNetwork = ON_NETWORKS.get(route);
  if (onNetwork !== undefined) return onNetwork;
  const isBound = actor === 'key for another market';
  if (isBound && IN_MARKET.has(route)) return '3008';
  if (relation === undefined) return 'ok';
  // Orders of others do not exist for the caller, even if the key could do nothing to them.
  if (!relation.startsWith('own')) return '4011';
  if (route.endsWith('Get') || route === 'privateOrderReceipt') return 'ok';
  if (isBound) return '3008';
  return relation === 'own, open' ? 'ok' : '4013';
}

function doorOf(route: string, actor: Actor): string {
  switch (actor) {
    case 'nobody':
      return '3001';
    case 'deleted key':
    case 'expired key':
    case 'key of a deactivated person':
      return '3002';
    case 'key for another address':
      return '3003';
    default: {
      const takes = TAKES[route] ?? '';
      if (takes === 'session') return '3010';
      if (takes === 'withdraw' && !WITHDRAWING.includes(actor)) return '3008';
      const may = MAY[actor];
      if (may !== undefined && takes !== 'key' && !may.includes(takes)) return '3008';
      return actor === 'key of a suspended account' && RISKS.has(route) ? '3011' : 'ok';
    }
  }
}
