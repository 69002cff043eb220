// The channel of the venue's state: the phase of every market, the state of the service and of the networks.
import type { PhaseChange } from '@rialto/matching';
import { Type, type Static } from 'typebox';
import type { CoinList } from '../../coins/coin.ts';
import { PHASES, type MarketDefinition, type MarketList } from '../../markets/market.ts';
import { ServiceStatus } from '../../service/status.ts';
import { Choice, MaybeMillis } from '../../values.ts';
import { pushText, SharedTopic } from './shared-topic.ts';
import type { TapedStep } from './tape.ts';

const MarketPhase = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.' }),
    phase: Choice(PHASES, 'Phase of the market.'),
    until: MaybeMillis('When the phase ends by itself; empty if it does not.'),
    reason: Type.String({
      description:
        'Why, in the words of the operator who decided it; empty if there is none. It may follow its phase a second later.',
    }),
  },
  { title: 'MarketPhase' },
);
type MarketPhase = Static<typeof MarketPhase>;

const NETWORK_STATES = ['active', 'paused', 'disabled'] as const;

const NetworkState = Type.Object(
  {
    coin: Type.String({ description: 'Coin symbol.' }),
    network: Type.String({ description: 'Network symbol.' }),
    depositStatus: Choice(NETWORK_STATES, 'Deposit status.'),
    withdrawStatus: Choice(NETWORK_STATES, 'Withdrawal status.'),
  },
  { title: 'NetworkState' },
);
type NetworkState = Static<typeof NetworkState>;

export const VenueStatus = Type.Object(
  {
    service: ServiceStatus,
    markets: Type.Array(MarketPhase, { description: 'Every listed market.' }),
    networks: Type.Array(NetworkState, { description: 'Every network of every coin.' }),
  },
  { title: 'VenueStatus' },
);

export const VenueStatusChange = Type.Object(
  {
    service: Type.Optional(ServiceStatus),
    markets: Type.Array(MarketPhase, { description: 'Those whose phase changed.' }),
    networks: Type.Array(NetworkState, { description: 'Those whose state changed.' }),
  },
  { title: 'VenueStatusChange' },
);
type VenueStatusChange = Static<typeof VenueStatusChange>;

/** `status`: everything once, then what changes. */
export class StatusTopic extends SharedTopic {
  readonly #phases = new Map<string, MarketPhase>();
  #networks = new Map<string, NetworkState>();
  #service: ServiceStatus | undefined;

  reset(markets: readonly MarketDefinition[], since: readonly TapedStep[]): void {
    this.#phases.clear();
    for (const { symbol, phase, phaseUntilMs, phaseReason } of markets) {
      this.#phases.set(symbol, toPhase({ symbol, phase, until: phaseUntilMs }, phaseReason));
    }
    for (const { phases } of since) for (const change of phases) this.#set(change);
    if (this.isFollowed) this.publishSnapshot();
  }

  onStep({ phases, timeMs }: TapedStep): void {
    if (phases.length === 0) return;
    const markets = phases.map((change) => this.#set(change));
    this.#tell({ markets, networks: [] }, timeMs);
  }

  #set(change: PhaseChange): MarketPhase {
    const phase = toPhase(change);
    if (phase.phase === 'delisted') this.#phases.delete(phase.symbol);
    else this.#phases.set(phase.symbol, phase);
    return phase;
  }

  /** Every second, with what was looked up. */
  onSecond(service: ServiceStatus, coins: CoinList, { bySymbol }: MarketList): void {
    const networks = this.#takeNetworks(coins);
    const markets = this.#takeReasons(bySymbol);
    const isChanged = summaryOf(service) !== summaryOf(this.#service);
    this.#service = service;
    if (!isChanged && networks.length === 0 && markets.length === 0) return;
    this.#tell({ ...(isChanged ? { service } : {}), markets, networks }, this.clock.now());
  }

  /** The log has the phase alone. Its reason stands in the tables, which may still be at the phase before. */
  #takeReasons(bySymbol: MarketList['bySymbol']): MarketPhase[] {
    return [...this.#phases.values()].flatMap((known) => {
      const market = bySymbol.get(known.symbol);
      if (market === undefined || market.phase !== known.phase) return [];
      if (market.phaseReason === known.reason) return [];
      const told = { ...known, reason: market.phaseReason };
      this.#phases.set(known.symbol, told);
      return [told];
    });
  }

  #takeNetworks({ bySymbol }: CoinList): NetworkState[] {
    const before = this.#networks;
    this.#networks = new Map(
      [...bySymbol.values()].flatMap(({ symbol, networks }) =>
        Object.values(networks).map((network): [string, NetworkState] => {
          const { NetworkSymbol, depositStatus, withdrawStatus } = network;
          const state = { coin: symbol, network: NetworkSymbol, depositStatus, withdrawStatus };
          return [`${symbol} ${NetworkSymbol}`, state];
        }),
      ),
    );
    return [...this.#networks].flatMap(([key, state]) =>
      JSON.stringify(before.get(key)) === JSON.stringify(state) ? [] : [state],
    );
  }

  #tell(change: VenueStatusChange, timeMs: number): void {
    if (!this.isFollowed) return;
    this.publish(pushText(this.name, 'update', timeMs, JSON.stringify(change)), timeMs);
  }

  protected begin(): void {
    // It is kept up whether or not somebody follows.
  }

  protected printSnapshot(): string {
    const data = {
      service: this.#service,
      markets: [...this.#phases.values()],
      networks: [...this.#networks.values()],
    };
    return pushText(this.name, 'snapshot', this.clock.now(), JSON.stringify(data));
  }
}

const toPhase = ({ symbol, phase, until }: PhaseChange, reason = ''): MarketPhase => ({
  symbol,
  phase,
  until: until > 0 ? String(until) : '',
  reason,
});

/** When it was looked at, and the exact lags, are no changes. */
function summaryOf(service: ServiceStatus | undefined): string {
  const networks = service?.networks.map((one) => ({ ...one, lagBlocks: '', tipAt: '' }));
  return JSON.stringify({ ...service, updatedAt: '', historyLag: '', networks });
}
