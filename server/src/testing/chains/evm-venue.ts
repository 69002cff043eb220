// A venue that takes and pays ether and a token on an EVM node of its own, with a signer of its own.
import { evmAddress, openAccount } from '@rialto/chains';
import type { CustodyNetwork } from '../../platform/config/custody-networks.ts';
import { startPayer, type PayerOptions } from '../../trading/custody/payments/payer.ts';
import { startWithdrawals } from '../../trading/custody/withdrawals/worker.ts';
import { LEDGER_TOKEN_CODE, startAnvil, words, type EvmNode } from './anvil.ts';
import { exampleOwner, movableClock, type CoinOwner, type MovableClock } from './owner.ts';
import { startSigner, type SignerProcess } from './signer.ts';
import { openWorld, type CustodyWorld } from './world.ts';

export const ETHER = 10n ** 18n;
const TOKEN_UNIT = 10n ** 6n;
const hex = (value: bigint) => `0x${value.toString(16)}`;

export interface EvmVenue {
  readonly node: EvmNode;
  readonly token: string;
  readonly signer: SignerProcess;
  readonly world: CustodyWorld;
  readonly clock: MovableClock;
  readonly hot: string;
  balanceOf(address: string): Promise<bigint>;
  ownerWith(coin: 'ether' | 'tusd', coins: string): Promise<CoinOwner>;
  /** Pays while the work runs, and no longer. */
  paying<T>(work: () => Promise<T>, options?: PayerOptions): Promise<T>;
  /** The machines of the server and of the signer are gone, with everything on them. The chain goes on. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export interface EvmVenueOptions {
  /** A chain that has a history, with its token, and the words of a seed that has one. */
  readonly given?: { readonly node: EvmNode; readonly token: string; readonly words: string };
  /** Of the signer's file, instead of its usual terms. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Of the server's file. */
  readonly network?: Partial<CustodyNetwork>;
}

export async function openEvmVenue({
  given,
  policy = {},
  network = {},
}: EvmVenueOptions = {}): Promise<EvmVenue> {
  const node = given?.node ?? (await startAnvil());
  const token = given?.token ?? (await node.deploy(LEDGER_TOKEN_CODE));
  const clock = movableClock();
  const signer = await startSigner({ DEV: evmPolicy(token, policy) }, given?.words);
  const keys = signer.keys.networks['DEV'];
  const hot = evmAddress(openAccount(keys?.['hot']?.xpub ?? '').publicKey({ branch: 0, index: 0 }));
  const world = await openWorld(
    [evmNetwork(signer, node, network)],
    { CUSTODY_SIGNER_SOCKET: signer.socket },
    { stepUp: async () => {}, clock },
  );
  await world.list('ether', 'DEV', { tokenDecimal: '18', withdrawPrecision: '12' });
  await world.list('tusd', 'DEV', {
    tokenDecimal: '6',
    withdrawPrecision: '6',
    contractAddress: token,
  });
  world.watch();
  const following = startWithdrawals(world.ctx, { everyMs: 50 });
  const lose = async () => {
    await following.stop();
    await world.close();
    await signer.remove();
  };
  const newAddress = drawAddresses();
  const send = {
    ether: (to: string, coins: bigint) => node.send({ to, value: hex(coins * ETHER) }),
    tusd: (to: string, coins: bigint) =>
      node.send({ to: token, data: words(to, coins * TOKEN_UNIT) }),
  };
  return {
    node,
    token,
    signer,
    world,
    clock,
    hot,
    balanceOf: async (address) =>
      BigInt(String(await node.call('eth_getBalance', [address, 'latest']))),
    ownerWith: (coin, coins) =>
      exampleOwner(
        world,
        clock,
        {
          coin,
          newAddress,
          async fund(address, amount) {
            const txid = await send[coin](address, BigInt(amount));
            await node.mine(2);
            return txid;
          },
        },
        coins,
      ),
    async paying(work, options = {}) {
      const running = startPayer(world.ctx, {
        everyMs: 50,
        againMs: 300,
        raiseMs: 3600_000,
        ...options,
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

/** Addresses that nobody has the keys of, one after the other. */
export function drawAddresses(): () => Promise<string> {
  let drawn = 0;
  return async () => {
    drawn += 1;
    return `0x${'c'.repeat(20)}${drawn.toString(16).padStart(20, '0')}`;
  };
}

/** Of the file of a signer. */
export function evmPolicy(token: string, changes: Readonly<Record<string, unknown>> = {}) {
  const ceilings = { transactionMax: '20', hourMax: '40', dayMax: '100', approvalAbove: '20' };
  return {
    kind: 'evm',
    chainId: 31_337,
    coin: 'ether',
    decimals: 18,
    ...ceilings,
    tokens: { tusd: { contract: token, decimals: 6, ...ceilings } },
    fee: { rateMax: '500000000000', transactionMax: '0.1', hourMax: '1', dayMax: '2' },
    sweepTargets: [],
    coldTargets: [],
    indexMax: 100_000,
    ...changes,
  };
}

/** Of the file of a server. */
export function evmNetwork(
  signer: SignerProcess,
  node: EvmNode,
  changes: Partial<CustodyNetwork> = {},
): Partial<CustodyNetwork> {
  const limits = { automaticMax: '10', oneOperatorMax: '20', familyDayMax: '50', batchMax: '15' };
  return {
    network: 'DEV',
    chain: 'evm',
    chainId: '31337',
    publicKey: signer.keys.networks['DEV']?.['deposit']?.xpub ?? '',
    nodes: [node.url],
    sweeps: { ether: '1', tusd: '5' },
    blockSeconds: 3600,
    feeRate: { min: '1000000000', max: '400000000000' },
    withdrawals: { ether: limits, tusd: limits },
    ...changes,
  };
}
