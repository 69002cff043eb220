// The chains that custody follows. The label is the name of a network, of which the configuration has few.
import { Counter, Gauge, type Registry } from 'prom-client';

interface CoinPlace {
  readonly network: string;
  readonly coin: string;
}

export interface CustodyMetrics {
  /** Blocks between the tip of the node and the last block that was read. */
  custodyLag(network: string, blocks: number): void;
  /** Since the last look at the network that found nothing wrong. */
  custodyScanLag(network: string, seconds: number): void;
  /** Payments that have not ended, by state, and how old the oldest without a block is. */
  custodyPayments(network: string, counts: Readonly<Record<string, number>>, oldest: number): void;
  /** What the hot wallet can pay with, in whole coins. Rounded: for pictures and alarms only. */
  custodyHot(network: string, coin: string, amount: number): void;
  custodyPaused(network: string, isPaused: boolean): void;
  custodyReorganised(network: string, depth: number): void;
  /** Whether the signer answers for the network. */
  custodySigner(network: string, isUp: boolean): void;
  /** What the chain has more than the ledger says, in coins. */
  custodyDifference(place: CoinPlace, coins: number, at: Date): void;
  /** A row of an address is not as it was written. */
  custodyAddressAltered(): void;
}

export function createCustodyMetrics(registry: Registry): CustodyMetrics {
  const registers = [registry];
  const lag = new Gauge({
    name: 'rialto_custody_tip_lag_blocks',
    help: 'Blocks of the network that were not read yet.',
    labelNames: ['network'],
    registers,
  });
  const scanLag = new Gauge({
    name: 'rialto_custody_scan_lag_seconds',
    help: 'Seconds since the last look at the network that found nothing wrong.',
    labelNames: ['network'],
    registers,
  });
  const payments = new Gauge({
    name: 'rialto_custody_payments',
    help: 'Payments that have not ended.',
    labelNames: ['network', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'rialto_custody_oldest_unconfirmed_seconds',
    help: 'How long the oldest payment that is in no block has been there.',
    labelNames: ['network'],
    registers,
  });
  const hot = new Gauge({
    name: 'rialto_custody_hot_balance',
    help: 'What the hot wallet can pay with, in whole coins, rounded.',
    labelNames: ['network', 'coin'],
    registers,
  });
  const paused = new Gauge({
    name: 'rialto_custody_paused',
    help: 'One while the network is paused: nothing of it is credited.',
    labelNames: ['network'],
    registers,
  });
  const reorganised = new Gauge({
    name: 'rialto_custody_reorg_depth',
    help: 'How many blocks the last reorganisation of the network replaced.',
    labelNames: ['network'],
    registers,
  });
  const signer = new Gauge({
    name: 'rialto_custody_signer_up',
    help: 'One while the signer answers. Without it nothing is paid on the network.',
    labelNames: ['network'],
    registers,
  });
  const difference = new Gauge({
    name: 'rialto_custody_difference',
    help: 'Coins on the network less what the ledger says is there, at the last comparison. Below zero, coins are missing.',
    labelNames: ['network', 'coin'],
    registers,
  });
  const reconciled = new Gauge({
    name: 'rialto_custody_reconciled_timestamp_seconds',
    help: 'When the coins of the network were last compared with the ledger.',
    labelNames: ['network', 'coin'],
    registers,
  });
  const altered = new Counter({
    name: 'rialto_custody_altered_addresses_total',
    help: 'Uses of a deposit address whose row is not as it was written. Anything but zero is an emergency.',
    registers,
  });
  return {
    custodyLag: (network, blocks) => lag.set({ network }, blocks),
    custodyScanLag: (network, seconds) => scanLag.set({ network }, seconds),
    custodyPayments: (network, counts, seconds) => {
      for (const [state, count] of Object.entries(counts)) payments.set({ network, state }, count);
      oldest.set({ network }, seconds);
    },
    custodyHot: (network, coin, amount) => hot.set({ network, coin }, amount),
    custodyPaused: (network, isPaused) => paused.set({ network }, isPaused ? 1 : 0),
    custodyReorganised: (network, depth) => reorganised.set({ network }, depth),
    custodySigner: (network, isUp) => signer.set({ network }, isUp ? 1 : 0),
    custodyDifference: ({ network, coin }, coins, at) => {
      difference.set({ network, coin }, coins);
      reconciled.set({ network, coin }, at.getTime() / 1000);
    },
    custodyAddressAltered: () => altered.inc(),
  };
}
