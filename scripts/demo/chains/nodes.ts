// The chains of `demo --chains`: a Litecoin node and an EVM node, both private, with coins that are worth nothing; a token;
// and the signer, a process of its own. The server follows them exactly as it would follow real ones.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UTXO_CHAINS } from '../../../server/src/trading/custody/chains/utxo/params.ts';
import {
  LEDGER_TOKEN_CODE,
  startAnvil,
  words,
  type EvmNode,
} from '../../../server/src/testing/chains/anvil.ts';
import { startLitecoin, type LitecoinNode } from '../../../server/src/testing/chains/litecoin.ts';
import { startSigner } from '../../../server/src/testing/chains/signer.ts';
import type { Settings } from '../deployment.ts';
import { DECIMALS } from './pay.ts';

const CHAIN_ID = 31_337;
/** All tokens that there are; the node's rich account has them. */
const TOKENS = 100_000_000n * 10n ** BigInt(DECIMALS.usdt);

/** Nobody has its key: what goes there stays there. */
const COLD_ETH = '0x00000000000000000000000000000000c01dc01d';

type ByChain = Readonly<Record<'ltc' | 'eth', string>>;

export interface DemoChains {
  readonly litecoin: LitecoinNode;
  readonly evm: EvmNode;
  /** The contract of the token. */
  readonly token: string;
  readonly settings: Settings;
  /** What `npm run demo:pay` needs. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startChains(): Promise<DemoChains> {
  // One after the other: two that look for a free port at once may find the same one.
  const evm = await startAnvil();
  const token = await evm.deploy(LEDGER_TOKEN_CODE);
  await evm.send({ to: token, data: words(evm.rich, TOKENS) });
  await evm.mine(1);
  // So that operators can void what waits in its pool.
  const litecoin = await startLitecoin({ replaces: true });
  const cold = { ltc: String(await litecoin.call('getnewaddress', ['', 'bech32'])), eth: COLD_ETH };
  const signer = await startSigner(policyOf(token, cold));
  const folder = mkdtempSync(join(tmpdir(), 'rialto-chains-'));
  // The server may run as another user than the one who wrote it.
  chmodSync(folder, 0o755);
  const file = join(folder, 'networks.json');
  const { networks } = signer.keys;
  const keys = {
    ltc: networks['LTC']?.['account']?.xpub ?? '',
    eth: networks['ETH']?.['deposit']?.xpub ?? '',
  };
  writeFileSync(file, JSON.stringify(networksOf({ keys, cold }, litecoin, evm)), { mode: 0o644 });
  return {
    litecoin,
    evm,
    token,
    settings: {
      MONEY: 'real',
      CUSTODY_NETWORKS_FILE: file,
      CUSTODY_SIGNER_SOCKET: signer.socket,
    },
    environment: {
      DEMO_LTC_NODE: litecoin.url,
      DEMO_ETH_NODE: evm.url,
      DEMO_ETH_PAYER: evm.rich,
      DEMO_USDT_CONTRACT: token,
    },
    async stop() {
      await signer.remove();
      rmSync(folder, { recursive: true, force: true });
      await Promise.all([litecoin.remove(), evm.remove()]);
    },
  };
}

/** What the signer allows. Wide, so that a visitor meets the venue's own limits first. */
function policyOf(token: string, cold: ByChain): Record<string, unknown> {
  const ceilings = (transactionMax: string, hourMax: string) => ({
    transactionMax,
    hourMax,
    dayMax: hourMax,
    approvalAbove: transactionMax,
  });
  const common = { sweepTargets: [], indexMax: 100_000 };
  const { network } = UTXO_CHAINS['litecoin-regtest'] ?? { network: {} };
  return {
    LTC: {
      kind: 'utxo',
      coinType: 2,
      ...network,
      coin: 'ltc',
      decimals: DECIMALS.ltc,
      ...ceilings('200', '1000'),
      fee: { rateMax: 600, transactionMax: '0.01', hourMax: '0.5', dayMax: '1' },
      ...common,
      coldTargets: [cold.ltc],
    },
    ETH: {
      kind: 'evm',
      chainId: CHAIN_ID,
      coin: 'eth',
      decimals: DECIMALS.eth,
      ...ceilings('1000', '5000'),
      tokens: {
        usdt: { contract: token, decimals: DECIMALS.usdt, ...ceilings('1000000', '5000000') },
      },
      fee: { rateMax: '500000000000', transactionMax: '0.1', hourMax: '2', dayMax: '4' },
      ...common,
      coldTargets: [cold.eth],
    },
  };
}

function networksOf(
  { keys, cold }: { readonly keys: ByChain; readonly cold: ByChain },
  litecoin: LitecoinNode,
  evm: EvmNode,
): unknown {
  const limits = (automaticMax: string, oneOperatorMax: string, familyDayMax: string) => ({
    automaticMax,
    oneOperatorMax,
    familyDayMax,
    batchMax: familyDayMax,
  });
  // Wide again: coins go to the cold wallet when a visitor deposits very many.
  const tier = (floor: string, target: string, ceiling: string, to: string) => ({
    floor,
    target,
    ceiling,
    cold: to,
  });
  return [
    {
      network: 'LTC',
      chain: 'litecoin-regtest',
      publicKey: keys.ltc,
      nodes: [litecoin.url],
      // Blocks come when something waits for one: a quiet hour is no fault.
      blockSeconds: 86_400,
      withdrawals: { ltc: limits('5', '50', '100') },
      tiers: { ltc: tier('20', '400', '1000', cold.ltc) },
    },
    {
      network: 'ETH',
      chain: 'evm',
      chainId: String(CHAIN_ID),
      publicKey: keys.eth,
      nodes: [evm.url],
      blockSeconds: 86_400,
      feeRate: { min: '1000000000', max: '400000000000' },
      sweeps: { eth: '0.5', usdt: '100' },
      tiers: {
        eth: tier('10', '800', '2000', cold.eth),
        usdt: tier('5000', '1000000', '2500000', cold.eth),
      },
      withdrawals: { eth: limits('2', '20', '100'), usdt: limits('5000', '50000', '200000') },
    },
  ];
}
