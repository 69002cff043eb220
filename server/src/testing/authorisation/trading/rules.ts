// Who calls, about which order, and what the answer should be: written by hand in a few lines,
// independently of how the server decides. The answer is `ok` or an error code.

export const ACTORS = [
  'nobody',
  'key to read',
  'key to trade',
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

/** The relation of the order to the caller. */
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
  'key to withdraw': ['withdraw'],
};

/** The permission that a route needs; a route without a line fails the test. */
export const TAKES: Readonly<Record<string, 'read' | 'trade' | 'key'>> = {
  privateAccountInfo: 'read',
  privateAccountBalances: 'read',
  privateAccountFees: 'read',
  privateAccountLedger: 'read',
  privateAccountRateLimits: 'read',
  privateApiKeyDelete: 'key',
  privateOrderCreate: 'trade',
  privateOrderTest: 'trade',
  privateOrderCreateBatch: 'trade',
  privateOrderCancel: 'trade',
  privateOrderCancelBatch: 'trade',
  privateOrderCancelAll: 'trade',
  privateOrderCancelAllAfter: 'trade',
  privateOrderAmend: 'trade',
  privateOrderGet: 'read',
  privateOrderOpen: 'read',
  privateOrderHistory: 'read',
  privateOrderTrades: 'read',
};

/** A suspended account may only read and cancel. */
const RISKS = new Set([
  'privateOrderCreate',
  'privateOrderTest',
  'privateOrderCreateBatch',
  'privateOrderAmend',
]);

/** Routes that name one order. */
export const NAMING = new Set([
  'privateOrderCancel',
  'privateOrderCancelBatch',
  'privateOrderAmend',
  'privateOrderGet',
]);

/** Actions in a market, or in all of them, that name no order. */
const IN_MARKET = new Set([
  'privateOrderCreate',
  'privateOrderTest',
  'privateOrderCreateBatch',
  'privateOrderCancelAllAfter',
]);

export function expectedOf(route: string, actor: Actor, relation: Relation | undefined): string {
  const door = doorOf(route, actor);
  if (door !== 'ok') return door;
  const isBound = actor === 'key for another market';
  if (isBound && IN_MARKET.has(route)) return '3008';
  if (relation === undefined) return 'ok';
  // An order of another account is never confirmed to exist, not even to a key that could do
  // nothing to it.
  if (!relation.startsWith('own')) return '4011';
  if (route === 'privateOrderGet') return 'ok';
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
      const may = MAY[actor];
      if (may !== undefined && takes !== 'key' && !may.includes(takes)) return '3008';
      return actor === 'key of a suspended account' && RISKS.has(route) ? '3011' : 'ok';
    }
  }
}
