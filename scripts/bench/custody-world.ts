// A venue with real coins for `bench custody`: an EVM node, a Litecoin node, the signer, and the processes around the role
// custody, which the bench starts and stops itself.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil, type EvmNode } from '../../server/src/testing/chains/anvil.ts';
import { startLitecoin, type LitecoinNode } from '../../server/src/testing/chains/litecoin.ts';
import { startSigner, type SignerProcess } from '../../server/src/testing/chains/signer.ts';
import { startDeployment, type TestDeployment } from '../../server/src/testing/deployment.ts';
import { exampleOperator } from '../../server/src/testing/operators.ts';
import { startRialtoProcess, type RialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { UTXO_CHAINS } from '../../server/src/trading/custody/chains/utxo/params.ts';
import { defineCoin } from '../../server/src/trading/coins/actions.ts';
import { awaitCommand } from '../../server/src/trading/operators/actions.ts';

export interface CustodyBench {
  readonly evm: EvmNode;
  readonly litecoin: LitecoinNode;
  readonly signer: SignerProcess;
  readonly deployment: TestDeployment;
  readonly api: RialtoProcess;
  close(): Promise<void>;
}

const CEILINGS = {
  transactionMax: '1000',
  hourMax: '10000',
  dayMax: '10000',
  approvalAbove: '10000',
  sweepTargets: [],
  coldTargets: [],
  indexMax: 100_000,
};

export async function openCustodyBench(): Promise<CustodyBench> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-bench-'));
  const [evm, litecoin] = await Promise.all([startAnvil(), startLitecoin()]);
  const { network: prefixes } = UTXO_CHAINS['litecoin-regtest'] ?? { network: {} };
  const signer = await startSigner({
    ETH: {
      kind: 'evm',
      chainId: 31_337,
      coin: 'eth',
      decimals: 18,
      ...CEILINGS,
      tokens: {},
      fee: { rateMax: '500000000000', transactionMax: '1', hourMax: '100', dayMax: '100' },
    },
    LTC: {
      kind: 'utxo',
      coinType: 2,
      ...prefixes,
      coin: 'ltc',
      decimals: 8,
      ...CEILINGS,
      fee: { rateMax: 600, transactionMax: '1', hourMax: '100', dayMax: '100' },
    },
  });
  const keyOf = (network: string, name: string) => signer.keys.networks[network]?.[name]?.xpub;
  const limits = {
    automaticMax: '100',
    oneOperatorMax: '100',
    familyDayMax: '100',
    batchMax: '900',
  };
  const file = join(folder, 'networks.json');
  const common = { blockSeconds: 3600 };
  await writeFile(
    file,
    JSON.stringify([
      {
        network: 'ETH',
        chain: 'evm',
        chainId: '31337',
        publicKey: keyOf('ETH', 'deposit'),
        nodes: [evm.url],
        ...common,
      },
      {
        network: 'LTC',
        chain: 'litecoin-regtest',
        publicKey: keyOf('LTC', 'account'),
        nodes: [litecoin.url],
        withdrawals: { ltc: limits },
        ...common,
      },
    ]),
  );
  const deployment = await startDeployment({
    MONEY: 'real',
    CUSTODY_NETWORKS_FILE: file,
    CUSTODY_SIGNER_SOCKET: signer.socket,
    TRADING_RATE_LIMIT: '1000000',
  });
  const { ctx, environment } = deployment;
  const others = await startRialtoProcess('engine,relay,worker', environment);
  const api = await startRialtoProcess('api', environment);
  const operator = await exampleOperator(ctx);
  for (const [symbol, network, tokenDecimal] of [
    ['eth', 'ETH', '18'],
    ['ltc', 'LTC', '8'],
  ] as const) {
    const id = await defineCoin(ctx, operator, coinOn(symbol, network, tokenDecimal));
    await awaitCommand(ctx, id, 30_000);
  }
  return {
    evm,
    litecoin,
    signer,
    deployment,
    api,
    async close() {
      await api.stop();
      await others.stop();
      await deployment.close();
      await signer.remove();
      await Promise.all([evm.remove(), litecoin.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const coinOn = (symbol: string, network: string, tokenDecimal: string) => ({
  symbol,
  nameEn: symbol,
  nameFa: symbol,
  networks: {
    [network]: {
      NetworkSymbol: network,
      NetworkNameEn: network,
      NetworkNameFa: network,
      isDefault: true,
      tokenNameOnNetwork: '',
      tokenSymbolOnNetwork: symbol.toUpperCase(),
      addressUrl: 'https://explorer.example/address/{address}',
      contractAddressUrl: '',
      transactionUrl: 'https://explorer.example/tx/{txid}',
      contractAddress: '',
      memoRequired: false,
      memoRegex: '',
      addressRegex: '^.+$',
      tokenDecimal,
      depositFee: '0',
      withdrawFee: '0.001',
      depositStatus: 'active' as const,
      withdrawStatus: 'active' as const,
      minimumDeposit: '0.00001',
      minimumWithdraw: '0.01',
      DepositConfirmationCount: '2',
      withdrawPrecision: '8',
    },
  },
});
