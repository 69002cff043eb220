// A venue that takes and pays coins on a Litecoin node of its own, with a signer of its own.
import type { NewTradingKey } from '../../accounts/trading-keys/actions.ts';
import type { CustodyNetwork } from '../../platform/config/custody-networks.ts';
import { UTXO_CHAINS } from '../../trading/custody/chains/utxo/params.ts';
import { startPayer, type PayerOptions } from '../../trading/custody/payments/payer.ts';
import { startWithdrawals } from '../../trading/custody/withdrawals/worker.ts';
import { startLitecoin, type LitecoinNode } from './litecoin.ts';
import { exampleOwner, movableClock, type CoinOwner, type MovableClock } from './owner.ts';
import { startSigner, type SignerProcess } from './signer.ts';
import { openWorld, type CustodyWorld } from './world.ts';

export interface LitecoinVenue {
  readonly node: LitecoinNode;
  readonly signer: SignerProcess;
  readonly world: CustodyWorld;
  readonly clock: MovableClock;
  newAddress(): Promise<string>;
  /** What an address got on the chain and in the pool, in whole coins. */
  received(address: string): Promise<string>;
  ownerWith(coins: string, terms?: Partial<NewTradingKey>): Promise<CoinOwner>;
  /** Pays while the work runs, and no longer. */
  paying<T>(work: () => Promise<T>, options?: PayerOptions): Promise<T>;
  /** The machines of the server and of the signer are gone, with everything on them. The chain goes on. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export interface LitecoinVenueOptions {
  /** A chain that has a history, and the words of a seed that has one. */
  readonly node?: LitecoinNode;
  readonly words?: string;
  /** Of the signer's file, instead of its usual terms. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Of the server's file; a function where they depend on the node. */
  readonly network?: Partial<CustodyNetwork>;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openLitecoinVenue(
  options: LitecoinVenueOptions | ((node: LitecoinNode) => Promise<LitecoinVenueOptions>) = {},
): Promise<LitecoinVenue> {
  const given = typeof options === 'function' ? undefined : options.node;
  const node = given ?? (await startLitecoin());
  const {
    policy = {},
    network: terms = {},
    settings = {},
    words,
  } = typeof options === 'function' ? await options(node) : options;
  const clock = movableClock();
  const signer = await startSigner({ LTC: litecoinPolicy(policy) }, words);
  const world = await openWorld(
    [litecoinNetwork(signer, node, terms)],
    { CUSTODY_SIGNER_SOCKET: signer.socket, ...settings },
    { stepUp: async () => {}, clock },
  );
  await world.list('ltc', 'LTC');
  world.watch();
  const following = startWithdrawals(world.ctx, { everyMs: 50 });
  const lose = async () => {
    await following.stop();
    await world.close();
    await signer.remove();
  };
  const newAddress = async () => String(await node.call('getnewaddress', ['', 'bech32']));
  return {
    node,
    signer,
    world,
    clock,
    newAddress,
    received: async (address) =>
      String(await node.call('getreceivedbyaddress', [address, 0])).replace(/\.?0+$/, ''),
    ownerWith: (coins, key) =>
      exampleOwner(
        world,
        clock,
        {
          coin: 'ltc',
          newAddress,
          async fund(address, amount) {
            const txid = await node.pay(address, amount);
            await node.mine(2);
            return txid;
          },
        },
        coins,
        key,
      ),
    async paying(work, payer = {}) {
      const running = startPayer(world.ctx, {
        everyMs: 50,
        againMs: 300,
        raiseMs: 3600_000,
        ...payer,
      });
      try {
        return await work();
      } finally {
        await running.stop();
      }
    },
    lose,
    async close() {
      await lose();
      await node.remove();
    },
  };
}

/** Of the file of a signer. */
export const litecoinPolicy = (changes: Readonly<Record<string, unknown>> = {}) => ({
  kind: 'utxo',
  coinType: 2,
  ...UTXO_CHAINS['litecoin-regtest']?.network,
  coin: 'ltc',
  decimals: 8,
  transactionMax: '20',
  hourMax: '40',
  dayMax: '100',
  approvalAbove: '20',
  fee: { rateMax: 600, transactionMax: '0.01', hourMax: '0.1', dayMax: '1' },
  sweepTargets: [],
  coldTargets: [],
  indexMax: 100_000,
  ...changes,
});

/** Of the file of a server. */
export const litecoinNetwork = (
  signer: SignerProcess,
  node: LitecoinNode,
  changes: Partial<CustodyNetwork> = {},
): Partial<CustodyNetwork> => ({
  network: 'LTC',
  chain: 'litecoin-regtest',
  publicKey: signer.keys.networks['LTC']?.['account']?.xpub ?? '',
  nodes: [node.url],
  blockSeconds: 3600,
  withdrawals: {
    ltc: { automaticMax: '10', oneOperatorMax: '20', familyDayMax: '50', batchMax: '15' },
  },
  ...changes,
});
