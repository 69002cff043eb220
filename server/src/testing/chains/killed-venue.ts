// A venue whose processes and whose database are killed again and again, while coins come in and go out. In the end the
// chain decides who is right.
import { expect } from 'vitest';
import type { CustodyNetwork } from '../../platform/config/custody-networks.ts';
import type { PrivatePostgres } from '../../platform/engines/postgres.ts';
import { pause } from '../../platform/std/wait.ts';
import { formatAmount } from '../../trading/amount.ts';
import type { Network } from '../../trading/coins/coin.ts';
import { clusterSettings } from '../context.ts';
import { startTestPostgres } from '../postgres.ts';
import { startRialtoProcess, type RialtoProcess } from '../rialto-process.ts';
import { exampleOwner, movableClock, type CoinOwner } from './owner.ts';
import type { SignerProcess } from './signer.ts';
import { openWorld, type CustodyWorld } from './world.ts';

const TURNS = 32;
const OWNERS = 4;
const FUNDS = '10';
const DEPOSIT = '0.11';
const PAYOUT = '0.2';
/** A look comes every second, so this hits some looks and some pauses. */
const LIFE_MS_MAX = 2500;
const WAIT = { timeout: 240_000, interval: 1000 };

export const KILLS_TIMEOUT_MS = 1_500_000;
/** Of the server's file: enough for every payout of the load. */
export const KILLED_LIMITS = {
  automaticMax: '10',
  oneOperatorMax: '20',
  familyDayMax: '100',
  batchMax: '15',
};

export interface KilledChain {
  readonly network: string;
  readonly coin: string;
  readonly signer: SignerProcess;
  /** Of the server's file, and of the list of coins. */
  readonly terms: Partial<CustodyNetwork>;
  readonly listing: Partial<Network>;
  newAddress(): Promise<string>;
  /** Pays all of these, and returns one of the transactions. */
  pay(coins: Readonly<Record<string, string>>): Promise<string>;
  mine(count: number): Promise<unknown>;
  /** Whether the chain may grow: some cannot for ever. The load leaves room for the end. */
  hasRoom(part: 'load' | 'end'): Promise<boolean>;
  /** Every payment on the chain by the address that got it, in units of the ledger. */
  readPayments(): Promise<Map<string, bigint[]>>;
}

export interface KilledVenue {
  /** Returns what happened, for people. */
  killUnderLoad(): Promise<string>;
  close(): Promise<void>;
}

export async function openKilledVenue(chain: KilledChain): Promise<KilledVenue> {
  const clock = movableClock();
  const postgres = await startTestPostgres();
  const settings = { ...clusterSettings(), CUSTODY_SIGNER_SOCKET: chain.signer.socket };
  const world = await openWorld([chain.terms], settings, {
    stepUp: async () => {},
    clock,
    withEngine: false,
    postgresUrl: postgres.ownerUrl,
  });
  const engine = await startRialtoProcess('engine,worker', world.environment);
  await world.list(chain.coin, chain.network, chain.listing);
  const custody = await startRialtoProcess('custody', world.environment);
  const openOwner = (): Promise<CoinOwner> =>
    exampleOwner(
      world,
      clock,
      {
        coin: chain.coin,
        newAddress: chain.newAddress,
        async fund(address, coins) {
          const txid = await chain.pay({ [address]: coins });
          await chain.mine(2);
          return txid;
        },
      },
      FUNDS,
    );
  return {
    async killUnderLoad() {
      await world.untilReason(chain.network, '');
      const owners: CoinOwner[] = [];
      for (let n = 0; n < OWNERS; n += 1) owners.push(await openOwner());
      const load = new AbortController();
      const depositing = deposit(chain, owners, load.signal);
      const withdrawing = withdraw(owners, load.signal);
      const killed = await killInTurns({ custody, engine, postgres, signer: chain.signer });
      load.abort();
      await depositing;
      const asked = await withdrawing;
      await expect.poll(() => settle(world, chain, owners), WAIT).toEqual([]);
      await chain.mine(3);
      const sums = await compareWithChain(world, chain, owners);
      // Enough went on meanwhile that the kills hit something.
      expect(sums.payouts).toBeGreaterThan(TURNS);
      expect(await custody.stop()).toBe(0);
      return `kills ${JSON.stringify(killed)}; ${sums.payouts} payouts of ${asked} confirmed requests, ${formatAmount(sums.paid)} paid; ${formatAmount(sums.credited)} credited; difference 0`;
    },
    async close() {
      await custody.stop();
      await engine.stop();
      await world.close();
      await postgres.remove();
      await chain.signer.remove();
    },
  };
}

interface Killable {
  readonly custody: RialtoProcess;
  readonly engine: RialtoProcess;
  readonly signer: SignerProcess;
  readonly postgres: PrivatePostgres;
}

async function killInTurns({ custody, engine, signer, postgres }: Killable) {
  const killed = { custody: 0, signer: 0, engine: 0, database: 0 };
  const restartEngine = async () => {
    engine.kill('SIGKILL');
    killed.engine += 1;
    await engine.restart();
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    await pause(Math.random() * LIFE_MS_MAX);
    if (turn % 5 === 4) {
      // Custody and the api live on. An engine ends when its database is away; the service manager starts it again.
      postgres.kill('SIGKILL');
      killed.database += 1;
      await postgres.restart();
      await restartEngine();
      continue;
    }
    custody.kill('SIGKILL');
    killed.custody += 1;
    const back: Promise<void>[] = [custody.restart()];
    if (turn % 4 === 1) {
      await signer.kill();
      killed.signer += 1;
      back.push(signer.restart());
    }
    if (turn % 5 === 2) back.push(restartEngine());
    await Promise.all(back);
  }
  return killed;
}

/** Pays to everybody in each block. */
async function deposit(
  chain: KilledChain,
  owners: readonly CoinOwner[],
  signal: AbortSignal,
): Promise<void> {
  for (let n = 0; !signal.aborted && (await chain.hasRoom('load')); n += 1) {
    const isFresh = n % 5 === 0;
    const paid: Record<string, string> = {};
    for (const { trader } of owners) {
      const address = isFresh ? trader.freshAddress(chain.coin) : trader.address(chain.coin);
      // An api whose database is dead refuses; then nothing is paid there.
      const known = await address.catch(() => undefined);
      if (known !== undefined) paid[known] = DEPOSIT;
    }
    if (Object.keys(paid).length > 0) await chain.pay(paid);
    await chain.mine(1);
    await pause(600, signal);
  }
}

/** Asks for payouts, one owner after the other. Some are refused or not confirmed, while something is dead. */
async function withdraw(owners: readonly CoinOwner[], signal: AbortSignal): Promise<number> {
  let asked = 0;
  for (let n = 0; !signal.aborted; n += 1) {
    const isDone = await owners[n % owners.length]?.payOut(PAYOUT).then(
      () => true,
      () => false,
    );
    if (isDone === true) asked += 1;
    await pause(250, signal);
  }
  return asked;
}

const query = async <T extends object>(world: CustodyWorld, text: string): Promise<T[]> =>
  (await world.server.owner.query(text)).rows as T[];

const withdrawalsOf = (world: CustodyWorld, { trader }: CoinOwner) =>
  query<{ id: string; status: string; address: string; amount: string; net: string }>(
    world,
    `SELECT 'W' || withdraw_id AS id, status, address, amount::text AS amount, (amount - fee)::text AS net
       FROM withdrawals WHERE account_id = ${trader.accountId} ORDER BY withdraw_id`,
  );

/** Takes back what nobody confirmed, because the answer was lost, and returns what has not ended yet. */
async function settle(world: CustodyWorld, chain: KilledChain, owners: readonly CoinOwner[]) {
  for (const owner of owners) {
    for (const { id, status } of await withdrawalsOf(world, owner)) {
      if (status !== 'awaiting_confirmation') continue;
      await owner.ask('withdraw_cancel', { withdrawId: id }, 'DELETE');
    }
  }
  if (await chain.hasRoom('end')) await chain.mine(1);
  return query<{ status: string; reason: string; n: number }>(
    world,
    `SELECT status, status_reason AS reason, count(*)::int AS n FROM withdrawals
      WHERE status NOT IN ('completed', 'canceled', 'rejected') OR NOT is_booked GROUP BY 1, 2`,
  );
}

/** Credits are what the chain says, every withdrawal was paid once or never, nothing is held, the books agree. */
async function compareWithChain(
  world: CustodyWorld,
  chain: KilledChain,
  owners: readonly CoinOwner[],
) {
  const payments = await chain.readPayments();
  let [credited, paid, payouts] = [0n, 0n, 0];
  for (const owner of owners) {
    const { trader } = owner;
    const addresses = await query<{ address: string }>(
      world,
      `SELECT address FROM custody_addresses WHERE purpose = 'deposit' AND account_id = ${trader.accountId}`,
    );
    const received = addresses
      .flatMap(({ address }) => payments.get(address.toLowerCase()) ?? [])
      .reduce((sum, amount) => sum + amount, 0n);
    let left = received;
    for (const { id, status, address, amount, net } of await withdrawalsOf(world, owner)) {
      // Each went to an address of its own: one payment, or none.
      const expected = status === 'completed' ? [BigInt(net)] : [];
      expect(payments.get(address.toLowerCase()) ?? [], id).toEqual(expected);
      if (status !== 'completed') continue;
      left -= BigInt(amount);
      paid += BigInt(net);
      payouts += 1;
    }
    credited += received;
    await expect
      .poll(() => trader.balance(chain.coin), WAIT)
      .toMatchObject({
        available: formatAmount(left),
        total: formatAmount(left),
        pendingDeposit: '0',
        pendingWithdraw: '0',
      });
  }
  await expect.poll(() => world.differences(chain.network), WAIT).toEqual({ [chain.coin]: 0n });
  return { credited, paid, payouts };
}
