// `bench custody`: how quickly the role custody catches up with 1,000 blocks full of deposits, beside bare calls that read the
// same blocks from the same node; what a payout costs; and how much memory the role and the signer take.
// The time is from the start of the role to the last credit that it writes; the ledger takes it from there. On a machine with few cores the node, the
// engine and PostgreSQL compete with the role.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { exampleTrader, type Trader } from '../../server/src/testing/trader.ts';
import { takeDepositAddress } from '../../server/src/trading/custody/addresses/actions.ts';
import { proveEntry } from '../../server/src/trading/custody/address-book/entry.ts';
import { ownNetworks } from '../../server/src/trading/custody/networks.ts';
import { printTable, type Figure } from '../figure.ts';
import { openCustodyBench, type CustodyBench } from './custody-world.ts';
import { readUsage } from './orders-cpu.ts';
import { round } from './stats.ts';

const BLOCKS = 1000;
const QUICK_BLOCKS = 100;
const DEPOSITS_A_BLOCK = 5;
const ACCOUNTS = 20;
const PAYOUTS = 200;
const WITHIN_MS = 300_000;
/** Deposits a second, by the number that a bare reader of the same blocks passes. */
const GOAL_RATIO = 0.2;
/** Twice what a payout by itself would be, at the lowest rate: 141 virtual bytes. */
const GOAL_FEE_UNITS = 1410;
const GOAL_MEMORY_MIB = 300;

export async function benchCustody({ quick }: { quick: boolean }): Promise<Figure[]> {
  const bench = await openCustodyBench();
  try {
    const traders: Trader[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      traders.push(
        await exampleTrader(bench.deployment.ctx, {
          permissions: ['read', 'withdraw'],
          ipAllowlist: ['127.0.0.1'],
        }),
      );
    }
    const deposits = await measureDeposits(bench, traders, quick ? QUICK_BLOCKS : BLOCKS);
    const payouts = await measurePayouts(bench, traders);
    return report(deposits, payouts);
  } finally {
    await bench.close();
  }
}

interface Deposits {
  readonly blocks: number;
  readonly count: number;
  /** Until the role had written the last credit, and until the ledger had it. */
  readonly oursMs: number;
  readonly bookedMs: number;
  readonly bareMs: readonly number[];
  readonly cpuUs: number;
  readonly residentBytes: number;
}

async function measureDeposits(
  { evm, deployment }: CustodyBench,
  traders: readonly Trader[],
  blocks: number,
): Promise<Deposits> {
  const { owner, environment } = deployment;
  const custody = await startRialtoProcess('custody', environment);
  await until(owner, 'SELECT count(*)::int = 2 AS is_done FROM custody_networks');
  const addresses = await takeAddresses(deployment, traders, 'ETH');
  // An orderly end: from here on the role is behind.
  await custody.stop();
  const from = (await evm.height()) + 1;
  await evm.mine(1);
  for (let block = 0; block < blocks; block += 1) {
    const paid = Array.from({ length: DEPOSITS_A_BLOCK }, (_, n) => [
      {
        from: evm.rich,
        to: addresses[n % addresses.length],
        value: '0x9184e72a000',
        gas: '0x5208',
        gasPrice: '0x77359400',
      },
    ]);
    await evm.call.many('eth_sendTransaction', paid);
    await evm.mine(1);
  }
  await evm.mine(1);
  const count = blocks * DEPOSITS_A_BLOCK;
  const to = await evm.height();
  const bareMs = [await readBare(evm.url, from, to)];
  await custody.restart();
  const startMs = performance.now();
  const usedUs = readUsage(custody.pid).us;
  const credited = `SELECT count(*) = ${count} AS is_done FROM custody_transfers WHERE network = 'ETH' AND status = 'credited'`;
  await until(owner, credited);
  const oursMs = performance.now() - startMs;
  await until(
    owner,
    `SELECT count(*) = ${count} AS is_done FROM operator_commands c JOIN custody_transfers t ON t.command_id = c.id
      WHERE t.network = 'ETH' AND t.status = 'credited' AND c.status = 'done'`,
  );
  const bookedMs = performance.now() - startMs;
  const cpuUs = readUsage(custody.pid).us - usedUs;
  const rss = residentBytes(custody.pid);
  bareMs.push(await readBare(evm.url, from, to));
  await custody.stop();
  return { blocks, count, oursMs, bookedMs, bareMs, cpuUs, residentBytes: rss };
}

interface Payouts {
  readonly count: number;
  readonly transactions: number;
  readonly feeUnits: number;
  /** From the start of the role until nodes had the last one. */
  readonly wallMs: number;
  readonly cpuUs: number;
  readonly residentBytes: number;
  readonly signerBytes: number;
}

async function measurePayouts(
  { litecoin, deployment, api, signer }: CustodyBench,
  traders: readonly Trader[],
): Promise<Payouts> {
  const { owner, environment } = deployment;
  const addresses = await takeAddresses(deployment, traders, 'LTC');
  const custody = await startRialtoProcess('custody', environment);
  await litecoin.payMany(Object.fromEntries(addresses.map((address) => [address, '20'])));
  await litecoin.mine(2);
  await until(
    owner,
    `SELECT count(*) = ${addresses.length} AS is_done FROM custody_transfers WHERE network = 'LTC' AND status = 'credited'`,
  );
  await custody.stop();
  const books = await addToBooks(deployment, litecoin, traders);
  for (let n = 0; n < PAYOUTS; n += 1) {
    const place = n % traders.length;
    const params = { coin: 'ltc', amount: '0.05', addressId: books[place] ?? '' };
    const url = `${api.origin}/v1/private/wallet/withdraw`;
    const answer = await traders[place]?.call(url, { method: 'POST', params });
    if (answer?.body.error !== undefined) throw new Error(JSON.stringify(answer.body.error));
  }
  await custody.restart();
  const startMs = performance.now();
  const usedUs = readUsage(custody.pid).us;
  await until(
    owner,
    `SELECT count(*) = ${PAYOUTS} AS is_done FROM withdrawals WHERE status IN ('confirming', 'completed')`,
  );
  const wallMs = performance.now() - startMs;
  await litecoin.mine(2);
  await until(
    owner,
    `SELECT count(*) = ${PAYOUTS} AS is_done FROM withdrawals WHERE status = 'completed'`,
  );
  const cpuUs = readUsage(custody.pid).us - usedUs;
  const rss = residentBytes(custody.pid);
  await custody.stop();
  const { rows } = await owner.query<{ transactions: number; fee: string }>(
    `SELECT count(*)::int AS transactions, sum(fee)::text AS fee FROM custody_attempts WHERE network = 'LTC'`,
  );
  return {
    count: PAYOUTS,
    transactions: rows[0]?.transactions ?? 0,
    feeUnits: Number(rows[0]?.fee ?? 0),
    wallMs,
    cpuUs,
    residentBytes: rss,
    signerBytes: residentBytes(signer.pid()),
  };
}

function report(deposits: Deposits, payouts: Payouts): Figure[] {
  // One turn before ours and one after it.
  const bareMs = deposits.bareMs.reduce((sum, ms) => sum + ms, 0) / deposits.bareMs.length;
  const rate = (ms: number) => deposits.count / (ms / 1000);
  const ratio = bareMs / deposits.oursMs;
  const fee = payouts.feeUnits / payouts.count;
  const mib = (bytes: number) => round(bytes / 2 ** 20);
  const memory = Math.max(deposits.residentBytes, payouts.residentBytes);
  const depositUs = deposits.cpuUs / deposits.count;
  const payoutUs = payouts.cpuUs / payouts.count;
  printTable([
    ['', 'custody', 'bare reader', 'ratio'],
    [
      'deposits a second',
      String(round(rate(deposits.oursMs))),
      String(round(rate(bareMs))),
      ratio.toFixed(2),
    ],
    ['µs of processor time a deposit', String(round(depositUs)), '', ''],
    ['µs of processor time a payout', String(round(payoutUs)), '', ''],
    [
      'ms a payout, from the start to the nodes',
      String(round(payouts.wallMs / payouts.count, 1)),
      '',
      '',
    ],
    ['fee of a payout, in units of 10⁻⁸', String(round(fee)), '', ''],
    ['MiB of memory of the role', String(mib(memory)), '', ''],
    ['MiB of memory of the signer', String(mib(payouts.signerBytes)), '', ''],
  ]);
  console.error(
    `${deposits.blocks} blocks with ${DEPOSITS_A_BLOCK} deposits each on an EVM node: ${round(deposits.oursMs / 1000, 1)} s until the last credit was written, ${round(deposits.bookedMs / 1000, 1)} s until the ledger had it, ` +
      `bare ${deposits.bareMs.map((ms) => round(ms / 1000, 1)).join(' and ')} s. ${payouts.count} payouts of Litecoin in ${payouts.transactions} transactions.`,
  );
  const figure = (name: string, ours: number, goal: number, met: boolean, extra = {}): Figure => ({
    figure: name,
    ours: round(ours, 2),
    goal,
    met,
    ...extra,
  });
  return [
    figure('custody.deposits', ratio, GOAL_RATIO, ratio >= GOAL_RATIO, {
      unit: 'ratio',
      perSecond: round(rate(deposits.oursMs)),
      barePerSecond: round(rate(bareMs)),
      cpuUs: round(depositUs),
    }),
    figure('custody.payout', fee, GOAL_FEE_UNITS, fee <= GOAL_FEE_UNITS, {
      unit: 'units of fee',
      cpuUs: round(payoutUs),
      wallMs: round(payouts.wallMs / payouts.count, 1),
    }),
    figure('custody.memory', mib(memory), GOAL_MEMORY_MIB, mib(memory) <= GOAL_MEMORY_MIB, {
      unit: 'MiB',
    }),
    figure(
      'custody.signer.memory',
      mib(payouts.signerBytes),
      GOAL_MEMORY_MIB,
      mib(payouts.signerBytes) <= GOAL_MEMORY_MIB,
      { unit: 'MiB' },
    ),
  ];
}

/** A deposit address of each. */
async function takeAddresses(
  { ctx }: CustodyBench['deployment'],
  traders: readonly Trader[],
  network: string,
): Promise<string[]> {
  const own = ownNetworks(ctx.config).get(network);
  if (own === undefined) throw new Error(`${network} is configured.`);
  const addresses: string[] = [];
  for (const { accountId } of traders) {
    addresses.push((await takeDepositAddress(ctx, own, accountId)).address);
  }
  return addresses;
}

/** An address of each that has been in its book for long enough. */
async function addToBooks(
  { ctx }: CustodyBench['deployment'],
  litecoin: CustodyBench['litecoin'],
  traders: readonly Trader[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { accountId } of traders) {
    const address = String(await litecoin.call('getnewaddress', ['', 'bech32']));
    const usableAt = new Date(Date.now() - 1000);
    const claim = { familyId: accountId, coin: 'ltc', network: 'LTC', address, memo: '', usableAt };
    const { id } = await ctx.db
      .insertInto('withdrawAddresses')
      .values({ ...claim, createdAt: usableAt, proof: proveEntry(ctx.secrets, claim) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(`A${id}`);
  }
  return ids;
}

/** What a reader does that only asks and parses: the block and the receipts of each, one block after the other. */
async function readBare(url: string, from: number, to: number): Promise<number> {
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return answer.json();
  };
  const startMs = performance.now();
  for (let height = from; height <= to; height += 1) {
    const at = `0x${height.toString(16)}`;
    await Promise.all([ask('eth_getBlockByNumber', [at, true]), ask('eth_getBlockReceipts', [at])]);
  }
  return performance.now() - startMs;
}

/** Asks the database until it says `is_done`. */
async function until(owner: CustodyBench['deployment']['owner'], question: string): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const { rows } = await owner.query<{ is_done: boolean }>(question);
    if (rows[0]?.is_done === true) return;
    if (performance.now() > deadline) {
      throw new Error(`This was not so within ${WITHIN_MS} ms: ${question}`);
    }
    await sleep(100);
  }
}

function residentBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
}
