// The comparison of a real EVM node with the ledger: its own coin and a token, with a hot wallet, sweeps and gas.
import { evmAddress, openAccount } from '@rialto/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import {
  hasAnvil,
  LEDGER_TOKEN_CODE,
  startAnvil,
  words,
  type EvmNode,
} from '../../../testing/chains/anvil.ts';
import { exampleOwner, movableClock, type PayingChain } from '../../../testing/chains/owner.ts';
import { evmPolicy } from '../../../testing/chains/evm-venue.ts';
import { startSigner, type SignerProcess } from '../../../testing/chains/signer.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { getCoin } from '../../coins/access.ts';
import { approveCommand, awaitCommand, requestAct } from '../../operators/actions.ts';
import { contributeCapital } from '../../operators/acts.ts';
import { ownNetworks } from '../networks.ts';
import { startPayer } from '../payments/payer.ts';
import { startWithdrawals } from '../withdrawals/worker.ts';
import { reconcileNetwork } from './reconcile.ts';

const WAIT = { timeout: 30_000 };
const LONG = 180_000;
const ETHER = 10n ** 18n;
const FINE = 10n ** 24n;
const hex = (value: bigint) => `0x${value.toString(16)}`;

describe.skipIf(!hasAnvil)('the comparison with anvil', () => {
  let node: EvmNode;
  let token: string;
  let signer: SignerProcess;
  let world: CustodyWorld;
  let operators: [Operator, Operator];
  const clock = movableClock();
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    node = await startAnvil();
    token = await node.deploy(LEDGER_TOKEN_CODE);
    signer = await startSigner({ DEV: evmPolicy(token) });
    const keys = signer.keys.networks['DEV'];
    const hot = evmAddress(
      openAccount(keys?.['hot']?.xpub ?? '').publicKey({ branch: 0, index: 0 }),
    );
    await node.call('anvil_setBalance', [hot, hex(50n * ETHER)]);
    const limits = { automaticMax: '10', oneOperatorMax: '20', familyDayMax: '50', batchMax: '15' };
    world = await openWorld(
      [
        {
          network: 'DEV',
          chain: 'evm',
          chainId: '31337',
          publicKey: keys?.['deposit']?.xpub ?? '',
          nodes: [node.url],
          sweeps: { ether: '1', tusd: '5' },
          blockSeconds: 3600,
          feeRate: { min: '1000000000', max: '400000000000' },
          withdrawals: { ether: limits, tusd: limits },
        },
      ],
      { CUSTODY_SIGNER_SOCKET: signer.socket },
      { stepUp: async () => {}, clock },
    );
    await world.list('ether', 'DEV', { tokenDecimal: '18', withdrawPrecision: '12' });
    await world.list('tusd', 'DEV', {
      tokenDecimal: '6',
      withdrawPrecision: '6',
      contractAddress: token,
    });
    operators = [await exampleOperator(world.ctx), await exampleOperator(world.ctx)];
    world.watch();
    running.push(startWithdrawals(world.ctx, { everyMs: 50 }));
  }, LONG);
  afterAll(async () => {
    for (const one of running) await one.stop();
    await world.close();
    await signer.remove();
    await node.remove();
  });

  let drawn = 0;
  const newAddress = async () => {
    drawn += 1;
    return `0x${drawn.toString(16).padStart(40, 'b')}`;
  };
  const mined = async (txid: string) => {
    await node.mine(2);
    return txid;
  };
  const ETHERS: PayingChain = {
    coin: 'ether',
    newAddress,
    fund: async (address, coins) =>
      mined(await node.send({ to: address, value: hex(BigInt(coins) * ETHER) })),
  };
  const TOKENS: PayingChain = {
    coin: 'tusd',
    newAddress,
    fund: async (address, coins) =>
      mined(await node.send({ to: token, data: words(address, BigInt(coins) * 1_000_000n) })),
  };
  const compare = async () => {
    const own = ownNetworks(world.ctx.config).get('DEV');
    if (own === undefined) throw new Error('DEV is configured.');
    const nodes = own.nodes.map((url) => own.ownChain.openNode(url));
    const { compared } = await reconcileNetwork(world.ctx, { own, nodes });
    return compared;
  };
  const differences = async () =>
    Object.fromEntries((await compare()).map(({ coin, difference }) => [coin, difference]));
  const newest = async () => {
    const { rows } = await world.server.owner.query<{ reason: string }>(
      'SELECT reason FROM custody_reports ORDER BY report_id DESC LIMIT 1',
    );
    return rows[0]?.reason;
  };
  const pays = async (work: () => Promise<void>) => {
    const payer = startPayer(world.ctx, { everyMs: 50, againMs: 300, raiseMs: 3600_000 });
    try {
      await work();
    } finally {
      await payer.stop();
    }
  };

  it(
    'waits until the hot wallet is known, and counts what is in it',
    async () => {
      await expect
        .poll(async () => {
          await node.mine(1);
          await compare();
          return newest();
        }, WAIT)
        .toBe('hot_wallet_unknown');
      await pays(async () => {
        await expect.poll(async () => (await compare()).length, WAIT).toBe(2);
      });
      expect(await differences()).toEqual({ ether: 50n * FINE, tusd: 0n });
      const [first, second] = operators;
      const terms = { id: 'hot', coin: 'ether', network: 'DEV', amount: '50', reason: 'hot' };
      const id = await requestAct(world.ctx, first, contributeCapital(terms));
      await approveCommand(world.ctx, second, id);
      expect((await awaitCommand(world.ctx, id, 20_000)).status).toBe('done');
      await expect.poll(differences, WAIT).toEqual({ ether: 0n, tusd: 0n });
    },
    LONG,
  );

  it(
    'finds no difference while deposits, payouts, sweeps and gas pass each other',
    async () => {
      const owner = await exampleOwner(world, clock, ETHERS, '5');
      const holder = await exampleOwner(world, clock, TOKENS, '7');
      const seen = new Set<string>();
      const look = async () => {
        for (const { coin, difference } of await compare()) seen.add(`${coin} ${difference}`);
      };
      await look();
      const open = async () => {
        await look();
        await node.mine(1);
        const { rows } = await world.server.owner.query<{ n: number }>(
          `SELECT (SELECT count(*) FROM custody_payments WHERE state <> 'done')::int
                + 2 - (SELECT count(*) FROM custody_swept)::int AS n`,
        );
        return rows[0]?.n;
      };
      await pays(async () => {
        // Tokens are in the hot wallet once they are swept.
        await expect.poll(open, { ...WAIT, interval: 20 }).toBe(0);
        const coins = await owner.payOut('2');
        const tokens = await holder.payOut('3');
        await expect
          .poll(
            async () => {
              await look();
              await node.mine(1);
              const ended = [
                await owner.find(coins.withdrawId),
                await holder.find(tokens.withdrawId),
              ];
              return ended.map(({ status }) => status).join();
            },
            { ...WAIT, interval: 20 },
          )
          .toBe('completed,completed');
        await look();
      });
      await node.mine(3);
      await look();
      expect([...seen].sort()).toEqual(['ether 0', 'tusd 0']);
    },
    LONG,
  );

  it(
    'C13: a coin that is listed with wrong decimals is stopped, as its token says how it counts',
    async () => {
      const trader = await world.trader();
      await world.list('tusd', 'DEV', {
        tokenDecimal: '5',
        withdrawPrecision: '5',
        contractAddress: token,
      });
      const txid = await TOKENS.fund(await trader.address('tusd'), '1');
      await trader.until(txid, 'credited');
      // Ten times what came in.
      await expect.poll(async () => (await trader.balance('tusd')).available, WAIT).toBe('10');
      await expect.poll(async () => (await differences())['tusd'], WAIT).toBe(-9n * FINE);
      const { networks } = await getCoin(world.ctx.db, 'tusd');
      expect(networks['DEV']?.withdrawStatus).toBe('paused');
      const ether = await getCoin(world.ctx.db, 'ether');
      expect(ether.networks['DEV']?.withdrawStatus).toBe('active');
    },
    LONG,
  );
});
