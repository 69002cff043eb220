// Networks and wallets: how far each network is followed, how full the hot wallets are, which coins are stopped. Pausing is
// for a moment of danger, so a factor of the last minutes is enough; what lets money move again takes one of its own.
import { Type } from 'typebox';
import { NetworkSymbol } from '../custody/addresses/shapes.ts';
import { pauseNetwork, resumeNetwork } from '../custody/operators/networks.ts';
import { listTiers, TIER_STATES } from '../custody/operators/tiers.ts';
import { listOpenStops } from '../custody/reconciliation/access.ts';
import { formatFine } from '../custody/reconciliation/difference.ts';
import { listNetworks } from '../custody/watch/access.ts';
import { Choice, Count, MaybeDecimal, MaybeMillis, Millis, toMillis } from '../values.ts';
import { adminRoute } from './route.ts';
import { Reason } from './shapes.ts';

const LOOK = { method: 'GET', grant: 'look', stepUp: 'fresh', params: Type.Object({}) } as const;

const CustodyNetwork = Type.Object(
  {
    network: NetworkSymbol,
    status: Choice(['active', 'paused'], 'paused: nothing of it is credited or paid.'),
    reason: Type.String({
      description: 'Why it is paused: what the watcher found, or `operators`; empty when it runs.',
    }),
    heldReason: Type.String({ description: 'What the operators who paused it wrote, or empty.' }),
    scannedHeight: Count('The last block that was read.'),
    tipHeight: Count('The newest block that a node has shown.'),
    lagBlocks: Count('Blocks that are still to be read.'),
    tipAt: Millis('When the newest block came.'),
    rescanFrom: Type.String({
      description: 'From this block on they are read again; empty otherwise.',
    }),
  },
  { title: 'CustodyNetwork' },
);

export const getCustodyNetworks = adminRoute({
  ...LOOK,
  name: 'adminCustodyNetworks',
  path: '/custody/networks',
  summary: 'The networks that custody follows, and why one is paused.',
  returns: Type.Array(CustodyNetwork),
  async handle(ctx) {
    const networks = await listNetworks(ctx.db);
    return networks.map(({ network, status, reason, heldReason, scanned, tip, ...state }) => ({
      network,
      status,
      reason,
      heldReason,
      scannedHeight: String(scanned.height),
      tipHeight: String(tip.height),
      lagBlocks: String(Math.max(0, tip.height - scanned.height)),
      tipAt: toMillis(state.tipAt),
      rescanFrom: state.rescanFrom === null ? '' : String(state.rescanFrom),
    }));
  },
});

const PAUSABLE = Type.Object({ network: NetworkSymbol, reason: Reason });
const Held = Type.Object(
  {
    network: NetworkSymbol,
    isHeld: Type.Boolean({ description: 'Whether operators hold it now.' }),
  },
  { title: 'HeldNetwork' },
);

export const postCustodyPause = adminRoute({
  name: 'adminCustodyPause',
  method: 'POST',
  path: '/custody/pause',
  grant: 'treasury',
  stepUp: 'fresh',
  audit: ['custody pause'],
  summary: 'Pauses a network: nothing of it is credited or begun until operators let it run.',
  params: PAUSABLE,
  returns: Held,
  errors: ['PARAMETER_INVALID'],
  async handle(ctx, { operator }, { network, reason }) {
    await pauseNetwork(ctx, operator, network, reason);
    return { network, isHeld: true };
  },
});

export const postCustodyResume = adminRoute({
  name: 'adminCustodyResume',
  method: 'POST',
  path: '/custody/resume',
  grant: 'treasury',
  stepUp: 'each',
  audit: ['custody resume'],
  summary:
    'Ends the pause of operators. What the watcher finds wrong with the network still pauses it.',
  params: PAUSABLE,
  returns: Held,
  errors: ['PARAMETER_INVALID'],
  async handle(ctx, { operator }, { network, reason }) {
    await resumeNetwork(ctx, operator, network, reason);
    return { network, isHeld: false };
  },
});

const CustodyTier = Type.Object(
  {
    network: NetworkSymbol,
    coin: Type.String({ description: 'Coin symbol.' }),
    hot: MaybeDecimal('What the hot wallet could pay with when it was last measured, or empty.'),
    measuredAt: MaybeMillis('When that was; empty if it never was.'),
    floor: MaybeDecimal('Payouts that would leave less wait. Empty where there are no bounds.'),
    target: MaybeDecimal('What is left when coins go to the cold wallet.'),
    ceiling: MaybeDecimal('Above this, coins go to the cold wallet by themselves.'),
    cold: Type.String({ description: 'The address of the cold wallet, or empty.' }),
    state: Choice(
      TIER_STATES,
      'Where the hot wallet stands; unbounded: the file of networks has no tier for the coin; unknown: it was never measured.',
    ),
  },
  { title: 'CustodyTier' },
);

export const getCustodyTiers = adminRoute({
  ...LOOK,
  name: 'adminCustodyTiers',
  path: '/custody/tiers',
  summary: 'The hot wallet of each coin on each network, as last measured, and its bounds.',
  returns: Type.Array(CustodyTier),
  async handle(ctx) {
    const tiers = await listTiers(ctx);
    return tiers.map(({ network, coin, hot, bounds, state }) => ({
      network,
      coin,
      hot: hot === undefined ? '' : formatFine(hot.amount),
      measuredAt: hot === undefined ? '' : toMillis(hot.at),
      floor: bounds?.floor ?? '',
      target: bounds?.target ?? '',
      ceiling: bounds?.ceiling ?? '',
      cold: bounds?.cold ?? '',
      state,
    }));
  },
});

const CustodyStop = Type.Object(
  {
    network: NetworkSymbol,
    coin: Type.String({ description: 'Coin symbol.' }),
    stoppedAt: Millis('When a comparison found that something was missing.'),
    isCleared: Type.Boolean({
      description: 'Whether the newest comparison shows no difference, so that it may run again.',
    }),
  },
  { title: 'CustodyStop' },
);

export const getCustodyStops = adminRoute({
  ...LOOK,
  name: 'adminCustodyStops',
  path: '/custody/stops',
  summary: 'Coins that a comparison has stopped: nothing of them is paid.',
  returns: Type.Array(CustodyStop),
  async handle(ctx) {
    const stops = await listOpenStops(ctx.db);
    return stops.map(({ network, coin, stoppedAt, isCleared }) => ({
      network,
      coin,
      stoppedAt: toMillis(stoppedAt),
      isCleared,
    }));
  },
});
