// Compares networks with the ledger, each in its turn. Any number of processes may do so: one takes a turn.
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { MINUTE_SECONDS } from '../../../platform/std/time.ts';
import { pause } from '../../../platform/std/wait.ts';
import type { ChainNode } from '../chains/chain.ts';
import { ownNetworks, type OwnNetwork } from '../networks.ts';
import { findNetwork } from '../watch/access.ts';
import { reconcileNetwork, tellDifference, type Reconciled } from './reconcile.ts';
import { endTurn, listNewestReports, takeTurn } from './report-store.ts';

const LOOK_EVERY_MS = 1000;
const COMPLAIN_EVERY_MS = 60_000;
const STOP_WITHIN_MS = 3000;
/** What another process has found is in the metrics of this one too. */
const TELL_EVERY_MS = 60_000;
/** A process that dies over a comparison leaves it to the next one after this time. */
const LEASE_SECONDS = 300;
/** What could not be compared is tried again after this time, if that is sooner. */
const AGAIN_SECONDS = 300;

export interface ReconcilerOptions {
  readonly everyMs?: number;
}

export function startReconciler(
  ctx: Context,
  { everyMs = LOOK_EVERY_MS }: ReconcilerOptions = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const networks = [...ownNetworks(ctx.config).values()].filter(({ nodes }) => nodes.length > 0);
  const telling = async (): Promise<void> => {
    while (!stopping.signal.aborted && networks.length > 0) {
      await tellNewest(ctx).catch(() => {});
      await pause(TELL_EVERY_MS, stopping.signal);
    }
  };
  const running = Promise.all([
    telling(),
    ...networks.map(async (own) => {
      const complain = rarely(COMPLAIN_EVERY_MS);
      const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
      while (!stopping.signal.aborted) {
        try {
          await lookAtTurn(ctx, own, nodes);
        } catch (error) {
          complain((keptBack) =>
            ctx.log.error(
              { err: error, network: own.network, keptBack },
              'A network could not be compared with the ledger.',
            ),
          );
        }
        await pause(everyMs, stopping.signal);
      }
    }),
  ]);
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, pause(STOP_WITHIN_MS)]);
    },
  };
}

async function tellNewest(ctx: Context): Promise<void> {
  for (const report of await listNewestReports(ctx.db, { isCompared: true })) {
    tellDifference(ctx, { ...report, difference: BigInt(report.difference ?? 0) });
  }
}

/** Compares the network if that is due. Returns what was found, or undefined if it is not its turn. */
export async function lookAtTurn(
  ctx: Context,
  own: OwnNetwork,
  nodes: readonly ChainNode[],
): Promise<Reconciled | undefined> {
  // Until a watcher has seen it there is nothing to compare.
  if ((await findNetwork(ctx.db, own.network)) === undefined) return undefined;
  if (!(await takeTurn(ctx.db, own.network, LEASE_SECONDS))) return undefined;
  const reconciled = await reconcileNetwork(ctx, { own, nodes });
  const usual = ctx.config.CUSTODY_RECONCILE_MINUTES * MINUTE_SECONDS;
  const seconds = reconciled.isWhole ? usual : Math.min(usual, AGAIN_SECONDS);
  await endTurn(ctx.db, own.network, seconds);
  return reconciled;
}
