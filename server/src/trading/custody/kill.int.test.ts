// C2: custody, the engine and the signer as processes of their own, killed again and again while coins come in and go out. In
// the end the chain decides who is right.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../../platform/std/wait.ts';
import { hasLitecoind, startLitecoin, type LitecoinNode } from '../../testing/chains/litecoin.ts';
import { exampleOwner, movableClock, type CoinOwner } from '../../testing/chains/owner.ts';
import { startSigner, type SignerProcess } from '../../testing/chains/signer.ts';
import { openWorld, type CustodyWorld } from '../../testing/chains/world.ts';
import { clusterSettings } from '../../testing/context.ts';
import { startRialtoProcess, type RialtoProcess } from '../../testing/rialto-process.ts';
import { isThorough } from '../../testing/thorough.ts';
import { formatAmount, parseAmount } from '../amount.ts';
import { UTXO_CHAINS } from './chains/utxo/params.ts';
import { ownNetworks } from './networks.ts';
import { reconcileNetwork } from './reconciliation/reconcile.ts';

const KILLS = 25;
const OWNERS = 4;
/** A look comes every second, so this hits some looks and some pauses. */
const LIFE_MS_MAX = 2500;
/** Below the height at which the chain of tests wants an extension; the load leaves some blocks for the end. */
const HEIGHT_MAX = 420;
const LOAD_HEIGHT_MAX = 340;
const WAIT = { timeout: 180_000, interval: 1000 };
const LONG = 1_200_000;

describe.skipIf(!hasLitecoind || !isThorough)('custody under load that is killed', () => {
  let node: LitecoinNode;
  let signer: SignerProcess;
  let world: CustodyWorld;
  let custody: RialtoProcess;
  let engine: RialtoProcess;
  const clock = movableClock();
  const query = async <T extends object>(text: string): Promise<T[]> =>
    (await world.server.owner.query(text)).rows as T[];

  beforeAll(async () => {
    node = await startLitecoin();
    const { network } = UTXO_CHAINS['litecoin-regtest'] ?? { network: {} };
    signer = await startSigner({
      LTC: {
        kind: 'utxo',
        coinType: 2,
        ...network,
        coin: 'ltc',
        decimals: 8,
        transactionMax: '20',
        hourMax: '400',
        dayMax: '400',
        approvalAbove: '20',
        fee: { rateMax: 600, transactionMax: '0.1', hourMax: '10', dayMax: '10' },
        sweepTargets: [],
        coldTargets: [],
        indexMax: 100_000,
      },
    });
    const limits = {
      automaticMax: '10',
      oneOperatorMax: '20',
      familyDayMax: '100',
      batchMax: '15',
    };
    world = await openWorld(
      [
        {
          network: 'LTC',
          chain: 'litecoin-regtest',
          publicKey: signer.keys.networks['LTC']?.['account']?.xpub ?? '',
          nodes: [node.url],
          blockSeconds: 3600,
          withdrawals: { ltc: limits },
        },
      ],
      { ...clusterSettings(), CUSTODY_SIGNER_SOCKET: signer.socket },
      { stepUp: async () => {}, clock, withEngine: false },
    );
    engine = await startRialtoProcess('engine,worker', world.environment);
    await world.list('ltc', 'LTC');
    custody = await startRialtoProcess('custody', world.environment);
  }, LONG);
  afterAll(async () => {
    await custody.stop();
    await engine.stop();
    await world.close();
    await signer.remove();
    await node.remove();
  });

  const openOwner = (): Promise<CoinOwner> =>
    exampleOwner(
      world,
      clock,
      {
        coin: 'ltc',
        newAddress: async () => String(await node.call('getnewaddress', ['', 'bech32'])),
        async fund(address, coins) {
          const txid = await node.pay(address, coins);
          await node.mine(2);
          return txid;
        },
      },
      '10',
    );

  /** Pays to everybody in each block. */
  async function deposit(owners: readonly CoinOwner[], signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted && (await node.height()) < LOAD_HEIGHT_MAX; n += 1) {
      const fresh = n % 5 === 0;
      const paid: Record<string, string> = {};
      for (const { trader } of owners) {
        // An api whose engine is dead may refuse; then nothing is paid there.
        const address = await (fresh ? trader.freshAddress('ltc') : trader.address('ltc')).catch(
          () => undefined,
        );
        if (address !== undefined) paid[address] = '0.11';
      }
      if (Object.keys(paid).length > 0) await node.payMany(paid);
      await node.mine(1);
      await pause(600, signal);
    }
  }

  /** Asks for payouts, one owner after the other. While the engine is dead some are refused or not confirmed. */
  async function withdraw(owners: readonly CoinOwner[], signal: AbortSignal): Promise<number> {
    let asked = 0;
    for (let n = 0; !signal.aborted; n += 1) {
      const owner = owners[n % owners.length];
      const isDone = await owner?.payOut('0.2').then(
        () => true,
        () => false,
      );
      if (isDone === true) asked += 1;
      await pause(250, signal);
    }
    return asked;
  }

  const withdrawalsOf = ({ trader }: CoinOwner) =>
    query<{ id: string; status: string; address: string; amount: string; net: string }>(
      `SELECT 'W' || withdraw_id AS id, status, address, amount::text AS amount, (amount - fee)::text AS net
         FROM withdrawals WHERE account_id = ${trader.accountId} ORDER BY withdraw_id`,
    );

  /** Every output of the chain, by its address: how many, and of what. */
  async function readChain(): Promise<Map<string, string[]>> {
    const outputs = new Map<string, string[]>();
    const tip = await node.height();
    for (let height = 1; height <= tip; height += 1) {
      const hash = await node.call('getblockhash', [height]);
      const { tx } = (await node.call('getblock', [hash, 2])) as {
        tx: { vout: { value: string; scriptPubKey: { addresses?: string[] } }[] }[];
      };
      for (const { value, scriptPubKey } of tx.flatMap(({ vout }) => vout)) {
        for (const address of scriptPubKey.addresses ?? []) {
          outputs.set(address, [...(outputs.get(address) ?? []), value]);
        }
      }
    }
    return outputs;
  }
  const sum = (values: readonly string[]) =>
    values.reduce((total, value) => total + (parseAmount(value) ?? 0n), 0n);

  it(
    `C2: after ${KILLS} kills everything is credited and paid once`,
    { timeout: LONG },
    async () => {
      await world.untilReason('LTC', '');
      const owners: CoinOwner[] = [];
      for (let n = 0; n < OWNERS; n += 1) owners.push(await openOwner());
      const load = new AbortController();
      const depositing = deposit(owners, load.signal);
      const withdrawing = withdraw(owners, load.signal);
      const killed = { custody: 0, signer: 0, engine: 0 };
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(Math.random() * LIFE_MS_MAX);
        custody.kill('SIGKILL');
        killed.custody += 1;
        const back: Promise<void>[] = [custody.restart()];
        if (kill % 4 === 1) {
          await signer.kill();
          killed.signer += 1;
          back.push(signer.restart());
        }
        if (kill % 5 === 2) {
          engine.kill('SIGKILL');
          killed.engine += 1;
          back.push(engine.restart());
        }
        await Promise.all(back);
      }
      load.abort();
      await depositing;
      const asked = await withdrawing;

      // What nobody confirmed, because the engine was dead or the answer was lost, is taken back; the rest ends by itself.
      const takeBack = async () => {
        for (const owner of owners) {
          for (const { id, status } of await withdrawalsOf(owner)) {
            if (status !== 'awaiting_confirmation') continue;
            await owner.ask('withdraw_cancel', { withdrawId: id }, 'DELETE');
          }
        }
      };
      const states = async () => {
        await takeBack();
        if ((await node.height()) < HEIGHT_MAX) await node.mine(1);
        return query<{ status: string; reason: string; n: number }>(
          `SELECT status, status_reason AS reason, count(*)::int AS n FROM withdrawals
            WHERE status NOT IN ('completed', 'canceled', 'rejected') OR NOT is_booked GROUP BY 1, 2`,
        );
      };
      await expect.poll(states, WAIT).toEqual([]);
      await node.mine(3);

      const outputs = await readChain();
      let [credited, paid, payouts] = [0n, 0n, 0];
      for (const owner of owners) {
        const { trader } = owner;
        const addresses = await query<{ address: string }>(
          `SELECT address FROM custody_addresses WHERE purpose = 'deposit' AND account_id = ${trader.accountId}`,
        );
        // Credits by the chain.
        const received = sum(addresses.flatMap(({ address }) => outputs.get(address) ?? []));
        let left = received;
        for (const { id, status, address, amount, net } of await withdrawalsOf(owner)) {
          // Each went to an address of its own: one output, or none.
          const mined = outputs.get(address) ?? [];
          const expected = status === 'completed' ? [BigInt(net)] : [];
          expect(mined.map(parseAmount), id).toEqual(expected);
          if (status !== 'completed') continue;
          left -= BigInt(amount);
          paid += BigInt(net);
          payouts += 1;
        }
        credited += received;
        await expect
          .poll(() => trader.balance('ltc'), WAIT)
          .toMatchObject({
            available: formatAmount(left),
            total: formatAmount(left),
            pendingDeposit: '0',
            pendingWithdraw: '0',
          });
      }
      expect(await query("SELECT FROM custody_payments WHERE state <> 'done'")).toEqual([]);
      const own = ownNetworks(world.ctx.config).get('LTC');
      if (own === undefined) throw new Error('LTC is configured.');
      const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
      const compare = async () =>
        (await reconcileNetwork(world.ctx, { own, nodes })).compared.map(
          ({ difference }) => difference,
        );
      await expect.poll(compare, WAIT).toEqual([0n]);
      // Enough went on meanwhile that the kills hit something.
      expect(payouts).toBeGreaterThan(KILLS);
      console.log(
        `kills ${JSON.stringify(killed)}; ${payouts} payouts of ${asked} confirmed requests, ${formatAmount(paid)} paid; ${formatAmount(credited)} credited; difference 0`,
      );
      expect(await custody.stop()).toBe(0);
    },
  );
});
