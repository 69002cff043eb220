// Everything that the page of custody shows, in one answer: a page that asks for its parts one by one would soon meet the
// limit of requests of its address, which operators of one office share.
import { Type } from 'typebox';
import { getCustodyNetworks, getCustodyStops, getCustodyTiers } from './custody-routes.ts';
import { getPayments } from './payment-routes.ts';
import { getCustodyReports } from './reserve-routes.ts';
import { adminRoute } from './route.ts';
import { getAwaitingWithdrawals } from './withdrawal-routes.ts';

export const PARTS = {
  networks: getCustodyNetworks,
  withdrawals: getAwaitingWithdrawals,
  payments: getPayments,
  tiers: getCustodyTiers,
  reports: getCustodyReports,
  stops: getCustodyStops,
};
const NONE = {} as never;

export const getCustody = adminRoute({
  name: 'adminCustody',
  method: 'GET',
  path: '/custody',
  grant: 'look',
  stepUp: 'fresh',
  summary:
    'Networks, withdrawals that wait, payments under way, hot wallets, comparisons and stopped coins, each as its own route has it.',
  params: Type.Object({}),
  returns: Type.Object(
    Object.fromEntries(Object.entries(PARTS).map(([name, { returns }]) => [name, returns])),
    { title: 'Custody' },
  ),
  async handle(ctx, caller) {
    const answers = await Promise.all(
      Object.entries(PARTS).map(async ([name, part]) => [
        name,
        await part.handle(ctx, caller, NONE),
      ]),
    );
    return Object.fromEntries(answers) as Record<string, unknown>;
  },
});
