// `rialto admin custody reconcile` and `custody reserves publish`. The role custody does the work, as only it reaches nodes:
// these commands ask it, wait, and print what it found.
import type { Command } from 'commander';
import type { Context } from '../../../platform/context.ts';
import { pause } from '../../../platform/std/wait.ts';
import { listNewestReports } from '../../../trading/custody/reconciliation/access.ts';
import { formatFine } from '../../../trading/custody/reconciliation/difference.ts';
import { findPublication } from '../../../trading/custody/reserves/access.ts';
import { askPublication, askReconciliation } from '../../../trading/custody/reserves/actions.ts';
import { CommandError } from '../../trouble.ts';
import { acting, asProven, EXIT, waitMsOf, type ActOptions } from './acting.ts';
import { printFields, printRows, type OutputFields } from './output.ts';

const POLL_MS = 200;

/** Adds both to the commands of custody. */
export function addReserveCommands(custody: Command): void {
  acting(custody.command('reconcile'), 'custody reconcile')
    .description('compare every network with the ledger now; exits with 1 if something differs')
    .action(reconcile);
  const reserves = custody.command('reserves').description('prove what the venue owes and holds');
  acting(reserves.command('publish'), 'reserves publish')
    .description('make a proof of reserves and publish it')
    .action(publish);
}

async function reconcile(options: ActOptions): Promise<void> {
  const waitMs = waitMsOf(options.wait);
  const rows = await asProven(options, 'look', async (ctx, operator) => {
    const before = await listNewestReports(ctx.db);
    const newestBefore = before.reduce(
      (high, { reportId }) => (reportId > high ? reportId : high),
      0n,
    );
    const networks = await askReconciliation(ctx, operator);
    if (networks.length === 0) {
      throw new CommandError(
        'No network has been watched yet: see that a process with the role custody runs, and has CUSTODY_NETWORKS_FILE.',
      );
    }
    return awaitReports(ctx, { networks, newestBefore, waitMs });
  });
  printRows(options, rows, 'Nothing was compared: no coin is on these networks.');
  if (rows.some(({ outcome }) => outcome === 'shortfall' || outcome === 'surplus')) {
    process.exitCode = EXIT.refused;
  } else if (rows.some(({ outcome }) => outcome !== 'equal')) process.exitCode = EXIT.waiting;
}

/** The newest report of each coin; `waiting` while there is none from after the request. */
async function awaitReports(
  ctx: Context,
  {
    networks,
    newestBefore,
    waitMs,
  }: {
    readonly networks: readonly string[];
    readonly newestBefore: bigint;
    readonly waitMs: number;
  },
): Promise<OutputFields[]> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const reports = (await listNewestReports(ctx.db)).filter(({ network }) =>
      networks.includes(network),
    );
    const isNew = (id: bigint) => id > newestBefore;
    const isReady = reports.length > 0 && reports.every(({ reportId }) => isNew(reportId));
    if (isReady || performance.now() >= untilMs) {
      return reports.map(({ reportId, network, coin, outcome, reason, difference }) => ({
        network,
        coin,
        outcome: isNew(reportId) ? outcome : 'waiting',
        difference: difference === null ? '' : formatFine(BigInt(difference)),
        reason,
      }));
    }
    await pause(POLL_MS);
  }
}

async function publish(options: ActOptions): Promise<void> {
  const waitMs = waitMsOf(options.wait);
  const made = await asProven(options, 'look', async (ctx, operator) => {
    const id = await askPublication(ctx, operator);
    const untilMs = performance.now() + waitMs;
    for (;;) {
      const state = await findPublication(ctx.db, id);
      if (state === undefined || state.status !== 'asked' || performance.now() >= untilMs) {
        return {
          publication: String(id),
          status: state?.status ?? '',
          reason: state?.reason ?? '',
        };
      }
      await pause(POLL_MS);
    }
  });
  printFields(options, made);
  if (made.status === 'failed') process.exitCode = EXIT.refused;
  if (made.status === 'asked') process.exitCode = EXIT.waiting;
}
