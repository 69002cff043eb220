// Watches the networks of the venue, each in a loop of its own. Any number of processes may do so.
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { ownNetworks, type OwnNetwork } from '../networks.ts';
import { lookAtNetwork, type WatchPoint } from './look.ts';
import { NetworkTrouble } from './nodes.ts';
import { lookAtPool } from './pool.ts';
import { updateReason } from './store.ts';

const LOOK_EVERY_MS = 1000;
const POOL_EVERY_MS = 10_000;
const COMPLAIN_EVERY_MS = 60_000;
/** A single call that fails is no outage. */
const FAILURES_BEFORE_PAUSE = 3;
const STOP_WITHIN_MS = 3000;

export interface WatcherOptions {
  /** Lets a test stop a watcher at a named point. */
  readonly probe?: (point: WatchPoint) => void;
  readonly everyMs?: number;
  /** Between two looks at the pool. */
  readonly poolMs?: number;
}

export function startWatcher(
  ctx: Context,
  options: WatcherOptions = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const networks = [...ownNetworks(ctx.config).values()];
  for (const { network } of networks.filter(({ nodes }) => nodes.length === 0)) {
    ctx.log.error(
      { network },
      'CUSTODY_NETWORKS_FILE names no node of the network: it is not watched.',
    );
  }
  const running = Promise.all(
    networks
      .filter(({ nodes }) => nodes.length > 0)
      .map((own) => watchNetwork(ctx, own, options, stopping.signal)),
  );
  return {
    async stop() {
      stopping.abort();
      // A node that is silent does not delay an orderly stop: the next watcher goes on from the cursor.
      await Promise.race([running, pause(STOP_WITHIN_MS)]);
    },
  };
}

async function watchNetwork(
  ctx: Context,
  own: OwnNetwork,
  { probe = () => {}, everyMs = LOOK_EVERY_MS, poolMs = POOL_EVERY_MS }: WatcherOptions,
  signal: AbortSignal,
): Promise<void> {
  const complain = rarely(COMPLAIN_EVERY_MS);
  const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
  let failures = 0;
  const known = new Set<string>();
  let pooledMs = performance.now();
  /** A pool that cannot be read pauses nothing: it is for display. */
  const lookAhead = async () => {
    const [node] = nodes;
    if (node === undefined || performance.now() - pooledMs < poolMs) return;
    pooledMs = performance.now();
    await lookAtPool(ctx, own, node, known).catch((error: unknown) =>
      complain((keptBack) =>
        ctx.log.warn({ err: error, network: own.network, keptBack }, 'A pool cannot be read.'),
      ),
    );
  };
  const rest = async (reason: string, error?: unknown) => {
    if (await updateReason(ctx.db, own.network, reason)) {
      const about = {
        network: own.network,
        reason,
        ...(error === undefined ? {} : { err: error }),
      };
      if (reason === '') ctx.log.info(about, 'The network is watched again.');
      else ctx.log.error(about, 'The network is paused: nothing of it is credited.');
    }
    ctx.metrics.custodyPaused(own.network, reason !== '');
  };
  let goodMs = performance.now();
  while (!signal.aborted) {
    try {
      await lookAtNetwork({ ctx, own, nodes, probe });
      goodMs = performance.now();
      failures = 0;
      await rest('');
      await lookAhead();
    } catch (error) {
      const reason = error instanceof NetworkTrouble ? error.reason : 'node_down';
      failures += 1;
      complain((keptBack) =>
        ctx.log.warn({ err: error, network: own.network, keptBack }, 'A look at a network failed.'),
      );
      if (reason !== 'node_down' || failures >= FAILURES_BEFORE_PAUSE) {
        await rest(reason, error).catch(() => {});
      }
    }
    ctx.metrics.custodyScanLag(own.network, (performance.now() - goodMs) / 1000);
    await pause(everyMs, signal);
  }
}
