// What is on the chains compared with the ledger, and its proof. Only the role custody reaches nodes, so these ask it.
import { Type } from 'typebox';
import { formatFine } from '../custody/reconciliation/difference.ts';
import { listNewestReports, type Report } from '../custody/reconciliation/access.ts';
import { askPublication, askReconciliation } from '../custody/reserves/actions.ts';
import { NetworkSymbol } from '../custody/addresses/shapes.ts';
import { Choice, MaybeDecimal, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';

const CustodyReport = Type.Object(
  {
    reportId: Type.String({ description: 'Its number.' }),
    network: NetworkSymbol,
    coin: Type.String({ description: 'Coin symbol.' }),
    outcome: Choice(
      ['equal', 'surplus', 'shortfall', 'postponed'],
      'What was found. A shortfall stops the coin.',
    ),
    reason: Type.String({ description: 'Why nothing could be compared; empty otherwise.' }),
    height: Type.String({ description: 'The block as of which the chain was asked, or empty.' }),
    onChain: MaybeDecimal('What the chain has.'),
    custody: MaybeDecimal('The account of the network in the ledger, below zero by what it holds.'),
    uncredited: MaybeDecimal('Received and not credited.'),
    unsettled: MaybeDecimal('Paid and not settled.'),
    costs: MaybeDecimal('Taken by the network and not booked.'),
    difference: MaybeDecimal('What the chain has more than it must.'),
    at: Millis('When it was compared.'),
  },
  { title: 'CustodyReport' },
);

const shown = (units: string | null): string => (units === null ? '' : formatFine(BigInt(units)));

const toReport = (report: Report) => ({
  reportId: String(report.reportId),
  network: report.network,
  coin: report.coin,
  outcome: report.outcome,
  reason: report.reason,
  height: report.height === null ? '' : String(report.height),
  onChain: shown(report.onChain),
  custody: shown(report.custody),
  uncredited: shown(report.uncredited),
  unsettled: shown(report.unsettled),
  costs: shown(report.costs),
  difference: shown(report.difference),
  at: toMillis(report.at),
});

export const getCustodyReports = adminRoute({
  name: 'adminCustodyReports',
  method: 'GET',
  path: '/custody/reports',
  grant: 'look',
  stepUp: 'fresh',
  summary: 'The newest comparison of each coin on each network with the ledger.',
  params: Type.Object({}),
  returns: Type.Array(CustodyReport),
  async handle(ctx) {
    return (await listNewestReports(ctx.db)).map(toReport);
  },
});

export const postCustodyReconcile = adminRoute({
  name: 'adminCustodyReconcile',
  method: 'POST',
  path: '/custody/reconcile',
  grant: 'treasury',
  stepUp: 'fresh',
  audit: ['custody reconcile'],
  summary:
    'Has every network compared with the ledger now. `GET /custody/reports` shows what was found.',
  params: Type.Object({}),
  returns: Type.Object({
    networks: Type.Array(Type.String(), { description: 'The networks that are compared.' }),
  }),
  async handle(ctx, { operator }) {
    return { networks: await askReconciliation(ctx, operator) };
  },
});

export const postReservesPublish = adminRoute({
  name: 'adminReservesPublish',
  method: 'POST',
  path: '/reserves/publish',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['reserves publish'],
  summary:
    'Has a proof of reserves made and published. It fails while a network cannot be compared, or coins are missing.',
  params: Type.Object({}),
  returns: Type.Object({ publicationId: Type.String({ description: 'Its number.' }) }),
  async handle(ctx, { operator }) {
    return { publicationId: String(await askPublication(ctx, operator)) };
  },
});
