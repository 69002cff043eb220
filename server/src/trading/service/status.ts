// The state of the venue, for programs that decide whether to trade.
import { Type, type Static } from 'typebox';
import type { Context } from '../../platform/context.ts';
import { listNetworks } from '../custody/watch/access.ts';
import type { Engine } from '../engine/door.ts';
import { readProjectionLag } from '../projections/access.ts';
import { remember } from '../remember.ts';
import { Choice, Count, MaybeMillis, Millis, toMillis } from '../values.ts';

const NetworkHealth = Type.Object(
  {
    network: Type.String({ description: 'Network symbol.', examples: ['LTC'] }),
    depositStatus: Choice(['active', 'paused'], 'Whether what comes in is credited.'),
    withdrawStatus: Choice(['active', 'paused'], 'Whether what goes out is sent.'),
    reason: Type.String({
      description:
        'Why it is paused: node_down, stale, wrong_chain, nodes_disagree, reorganised or reorganised_too_deep; operators: they have paused it; empty when it is not.',
    }),
    lagBlocks: Count('Blocks that were not read yet.'),
    tipAt: Millis('When the chain was last seen to grow.'),
  },
  { title: 'NetworkHealth' },
);

export const ServiceStatus = Type.Object(
  {
    status: Choice(
      ['ok', 'degraded', 'unavailable'],
      'ok; degraded when history is late; unavailable when no order is taken.',
    ),
    updatedAt: Millis('When this was looked at.'),
    eta: MaybeMillis('When announced maintenance ends; empty when none is announced.'),
    engine: Choice(['ok', 'unavailable'], 'Whether the matching engine answers.'),
    historyLag: Count('Batches of the engine that history does not show yet.'),
    money: Choice(['real', 'simulated'], 'Simulated: nothing here has any worth.'),
    networks: Type.Array(NetworkHealth, {
      description: 'The networks whose coins the venue takes, as their nodes show them.',
    }),
  },
  { title: 'Status' },
);
export type ServiceStatus = Static<typeof ServiceStatus>;

const STATUS_AGE_MS = 1000;
/** How many batches history may lag before it counts as late: about a second's worth under load. */
const LAG_MAX = 500;

interface Watched extends Pick<Context, 'database' | 'db' | 'clock' | 'config'> {
  readonly engine: Engine;
}

/** Checked at most once a second, however many ask. */
export const rememberStatus = (ctx: Watched): (() => ServiceStatus | Promise<ServiceStatus>) =>
  remember(STATUS_AGE_MS, async () => {
    const isAnswering = await ctx.engine.read('head', {}).then(
      () => true,
      () => false,
    );
    const lag = await readProjectionLag(ctx);
    const networks = await listNetworks(ctx.db);
    const isLate = lag > LAG_MAX;
    return {
      status: !isAnswering
        ? ('unavailable' as const)
        : isLate
          ? ('degraded' as const)
          : ('ok' as const),
      updatedAt: String(Math.floor(ctx.clock.now())),
      eta: '',
      engine: isAnswering ? ('ok' as const) : ('unavailable' as const),
      historyLag: String(lag),
      money: ctx.config.MONEY,
      networks: networks.map(({ network, status, reason, tip, scanned, tipAt }) => ({
        network,
        depositStatus: status,
        withdrawStatus: status,
        reason,
        lagBlocks: String(Math.max(0, tip.height - scanned.height)),
        tipAt: toMillis(tipAt),
      })),
    };
  });
