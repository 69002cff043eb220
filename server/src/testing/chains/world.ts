// A venue with real money, whose networks are chains of their own on real nodes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CustodyNetwork } from '../../platform/config/custody-networks.ts';
import type { Context } from '../../platform/context.ts';
import { testEnvironment } from '../context.ts';
import { exampleOperator } from '../operators.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts';
import type { NewTradingKey } from '../../accounts/trading-keys/actions.ts';
import { exampleTrader, type Trader } from '../trader.ts';
import { defineCoin } from '../../trading/coins/actions.ts';
import type { Coin, Network } from '../../trading/coins/coin.ts';
import { listUnbacked } from '../../trading/audit/solvency.ts';
import { awaitCommand } from '../../trading/operators/actions.ts';
import type { Deposit } from '../../trading/custody/deposits/shapes.ts';
import { ownNetworks } from '../../trading/custody/networks.ts';
import { reconcileNetwork } from '../../trading/custody/reconciliation/reconcile.ts';
import { startWatcher, type WatcherOptions } from '../../trading/custody/watch/watcher.ts';

const WAIT_MS = 30_000;

export interface CustodyWorld {
  readonly server: TestServer;
  readonly ctx: Context;
  /** Of a further process of this venue. */
  readonly environment: Record<string, string>;
  trader(terms?: Partial<NewTradingKey>): Promise<CustodyTrader>;
  /** Lists a coin on a network, or changes its terms there. */
  list(symbol: string, network: string, terms?: Partial<Network>): Promise<void>;
  /** Watches the networks until the test has ended. */
  watch(options?: WatcherOptions): { stop(): Promise<void> };
  /** Waits until the network is paused for this reason; empty: until it runs. */
  untilReason(network: string, reason: string): Promise<void>;
  /** Compares chain and ledger now: what differs of each coin, in units of 10^-24. */
  differences(network: string): Promise<Record<string, bigint>>;
  close(): Promise<void>;
}

export interface CustodyTrader extends Trader {
  get(path: string, params?: Record<string, string>): Promise<unknown>;
  address(coin: string): Promise<string>;
  /** One more address. */
  freshAddress(coin: string): Promise<string>;
  deposits(): Promise<Deposit[]>;
  /** Waits until the deposits of a transaction have this status. */
  until(txid: string, status: string): Promise<Deposit[]>;
  balance(coin: string): Promise<CustodyBalance>;
}

export interface CustodyBalance {
  readonly available: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
  readonly total: string;
}

export async function openWorld(
  networks: readonly Partial<CustodyNetwork>[],
  more: Record<string, string> = {},
  options: Partial<TestServerOptions> = {},
): Promise<CustodyWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-custody-'));
  const file = join(folder, 'networks.json');
  await writeFile(file, JSON.stringify(networks));
  const settings = {
    MONEY: 'real',
    CUSTODY_NETWORKS_FILE: file,
    TRADING_RATE_LIMIT: '100000',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...more,
  };
  const server = await startTestServer({ withEngine: true, ...options, settings });
  const { ctx } = server;
  const operator = await exampleOperator(ctx);
  const watchers: { stop(): Promise<void> }[] = [];
  return {
    server,
    ctx,
    environment: testEnvironment(server.databaseUrl, settings, options.postgresUrl),
    trader: async (terms = {}) =>
      toTrader(server, await exampleTrader(ctx, { permissions: ['read'], ...terms })),
    async list(symbol, network, terms = {}) {
      const id = await defineCoin(ctx, operator, exampleCoin(symbol, network, terms));
      expect((await awaitCommand(ctx, id, WAIT_MS)).status).toBe('done');
    },
    watch(options = {}) {
      const watcher = startWatcher(ctx, { everyMs: 50, poolMs: 3600_000, ...options });
      watchers.push(watcher);
      return watcher;
    },
    async untilReason(network, reason) {
      await expect
        .poll(async () => (await rowOf(ctx, network))?.reason, { timeout: WAIT_MS })
        .toBe(reason);
    },
    async differences(network) {
      const own = ownNetworks(ctx.config).get(network);
      if (own === undefined) throw new Error(`${network} is not configured.`);
      const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
      const { compared } = await reconcileNetwork(ctx, { own, nodes });
      return Object.fromEntries(compared.map(({ coin, difference }) => [coin, difference]));
    },
    async close() {
      for (const watcher of watchers) await watcher.stop();
      // Whatever a test did: nothing is credited without evidence.
      expect(await listUnbacked(ctx.database.pool, 10)).toEqual([]);
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const rowOf = (ctx: Context, network: string) =>
  ctx.db
    .selectFrom('custodyNetworks')
    .selectAll()
    .where('network', '=', network)
    .executeTakeFirst();

function toTrader(server: TestServer, trader: Trader): CustodyTrader {
  const get: CustodyTrader['get'] = async (path, params = {}) => {
    const { body } = await trader.call(`${server.baseUrl}/private/${path}`, { params });
    if (body.error !== undefined) throw new Error(`${body.error.code} ${body.error.message}`);
    return body.result;
  };
  const deposits = async () => {
    const { items } = (await get('wallet/deposits')) as { items: Deposit[] };
    return items;
  };
  return {
    ...trader,
    get,
    deposits,
    address: async (coin) =>
      ((await get('wallet/deposit_address', { coin })) as { address: string }).address,
    async freshAddress(coin) {
      const url = `${server.baseUrl}/private/wallet/create_deposit_address`;
      const { body } = await trader.call(url, { method: 'POST', params: { coin } });
      return (body.result as { address: string }).address;
    },
    async until(txid, status) {
      let found: Deposit[] = [];
      await expect
        .poll(
          async () => {
            found = (await deposits()).filter((deposit) => deposit.txid === txid);
            return [...new Set(found.map((deposit) => deposit.status))];
          },
          { timeout: WAIT_MS },
        )
        .toEqual([status]);
      return found;
    },
    async balance(coin) {
      const [balance] = (await get('account/balances', { coin })) as CustodyBalance[];
      return balance ?? { available: '', pendingDeposit: '', pendingWithdraw: '', total: '' };
    },
  };
}

function exampleCoin(symbol: string, network: string, terms: Partial<Network>): Coin {
  const on: Network = {
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
    tokenDecimal: '8',
    depositFee: '0',
    withdrawFee: '0.001',
    depositStatus: 'active',
    withdrawStatus: 'active',
    minimumDeposit: '0.01',
    minimumWithdraw: '0.01',
    DepositConfirmationCount: '2',
    withdrawPrecision: '8',
    ...terms,
  };
  return { symbol, nameEn: symbol, nameFa: symbol, networks: { [network]: on } };
}
