// Payouts on a real EVM node, signed by a real signer: the network's own coin and tokens, failures, and fees that rise.
import { EVM_HOT_ACCOUNT, evmAddress, openAccount } from '@rialto/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasAnvil,
  REFUSING_CODE,
  startAnvil,
  TOKEN_CODE,
  words,
  type EvmNode,
} from '../../../testing/chains/anvil.ts';
import { startFaultProxy, type FaultProxy } from '../../../testing/chains/fault-proxy.ts';
import { exampleOwner, movableClock, type PayingChain } from '../../../testing/chains/owner.ts';
import { startSigner, type SignerProcess } from '../../../testing/chains/signer.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';
import { textOf } from '../chains/rpc.ts';
import { startWithdrawals } from '../withdrawals/worker.ts';
import { resolvePayment } from '../operators/payments.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { startPayer } from './payer.ts';

const WAIT = { timeout: 30_000 };
const LONG = 180_000;
const ETHER = 10n ** 18n;
const hex = (value: bigint) => `0x${value.toString(16)}`;

describe.skipIf(!hasAnvil)('payouts on anvil', () => {
  let node: EvmNode;
  let front: FaultProxy;
  let token: string;
  let signer: SignerProcess;
  let world: CustodyWorld;
  let hot: string;
  const clock = movableClock();
  const running: { stop(): Promise<void> }[] = [];

  /** The token of these tests keeps no balances: this is what a real one would answer, to everybody. */
  const hasTokens = (units: bigint) =>
    front.lie((method, result, params) => {
      const [call] = params as [{ to?: string } | undefined];
      if (method !== 'eth_call' || call?.to?.toLowerCase() !== token.toLowerCase()) return result;
      return `0x${units.toString(16).padStart(64, '0')}`;
    });

  beforeAll(async () => {
    node = await startAnvil();
    token = await node.deploy(TOKEN_CODE);
    front = await startFaultProxy(node.url);
    hasTokens(1_000_000_000n);
    const ceilings = { transactionMax: '20', hourMax: '40', dayMax: '100', approvalAbove: '100' };
    signer = await startSigner({
      DEV: {
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
      },
    });
    const keys = signer.keys.networks['DEV'];
    expect(keys?.['hot']?.path).toBe(EVM_HOT_ACCOUNT);
    hot = evmAddress(openAccount(keys?.['hot']?.xpub ?? '').publicKey({ branch: 0, index: 0 }));
    await node.call('anvil_setBalance', [hot, hex(50n * ETHER)]);
    const limits = { automaticMax: '30', oneOperatorMax: '40', familyDayMax: '50', batchMax: '15' };
    world = await openWorld(
      [
        {
          network: 'DEV',
          chain: 'evm',
          chainId: '31337',
          publicKey: keys?.['deposit']?.xpub ?? '',
          nodes: [front.url],
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
    world.watch();
    running.push(startWithdrawals(world.ctx, { everyMs: 50 }));
  }, LONG);
  afterAll(async () => {
    for (const one of running) await one.stop();
    await world.close();
    await signer.remove();
    await front.close();
    await node.remove();
  });

  let drawn = 0;
  const newAddress = async () => {
    drawn += 1;
    return `0x${drawn.toString(16).padStart(40, 'a')}`;
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
  const ownerWith = (chain: PayingChain, coins: string) => exampleOwner(world, clock, chain, coins);
  const balanceOf = async (address: string) =>
    BigInt(String(await node.call('eth_getBalance', [address, 'latest'])));

  const pays = async (work: () => Promise<void>, raiseMs = 3600_000): Promise<void> => {
    const payer = startPayer(world.ctx, { everyMs: 50, againMs: 300, raiseMs });
    try {
      await work();
    } finally {
      await payer.stop();
    }
  };

  it(
    'coins and tokens leave the hot wallet one after the other, and end with their confirmations',
    async () => {
      const [owner, holder] = [await ownerWith(ETHERS, '5'), await ownerWith(TOKENS, '7')];
      const coins = await owner.payOut('2');
      const tokens = await holder.payOut('3');
      await pays(async () => {
        await owner.until(coins.withdrawId, 'confirming');
        const { txid } = await holder.until(tokens.withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(coins.withdrawId, 'completed');
        await holder.until(tokens.withdrawId, 'completed');
        const sent = await node.call('eth_getTransactionByHash', [txid]);
        expect(textOf(sent, 'to')).toBe(token.toLowerCase());
        const units = 2_999_000n.toString(16);
        expect(textOf(sent, 'input')).toBe(
          `0xa9059cbb${tokens.address.slice(2).toLowerCase().padStart(64, '0')}${units.padStart(64, '0')}`,
        );
      });
      expect(await balanceOf(coins.address)).toBe(ETHER * 2n - ETHER / 1000n);
      // The block took its fee and a tip: the rest of the price stayed ours.
      const { txid: paid } = await owner.find(coins.withdrawId);
      const offered = textOf(await node.call('eth_getTransactionByHash', [paid]), 'maxFeePerGas');
      const receipt = await node.call('eth_getTransactionReceipt', [paid]);
      expect(BigInt(textOf(receipt, 'effectiveGasPrice'))).toBeLessThan(BigInt(offered));
      await expect
        .poll(() => owner.trader.balance('ether'), WAIT)
        .toMatchObject({ available: '3', pendingWithdraw: '0' });
      await expect
        .poll(() => holder.trader.balance('tusd'), WAIT)
        .toMatchObject({ available: '4', pendingWithdraw: '0' });
    },
    LONG,
  );

  it(
    'a payout that the chain undid has failed, and its amount is back',
    async () => {
      const owner = await ownerWith(ETHERS, '3');
      const refusing = await node.deploy(REFUSING_CODE);
      const { withdrawId } = await owner.payOut('1', refusing);
      await pays(async () => {
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'failed');
      });
      await expect
        .poll(() => owner.trader.balance('ether'), WAIT)
        .toMatchObject({ available: '3', pendingWithdraw: '0' });
      expect(await balanceOf(refusing)).toBe(0n);
    },
    LONG,
  );

  it(
    'C7: when the base fee rises twentyfold, the same payment pays more, and is mined once',
    async () => {
      const owner = await ownerWith(ETHERS, '3');
      const { withdrawId, address } = await owner.payOut('1');
      await pays(async () => {
        await owner.until(withdrawId, 'confirming');
      });
      const { txid } = await owner.find(withdrawId);
      await node.call('anvil_setNextBlockBaseFeePerGas', [hex(40_000_000_000n)]);
      await node.mine(1);
      await pays(async () => {
        await expect.poll(async () => (await owner.find(withdrawId)).txid, WAIT).not.toBe(txid);
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      }, 0);
      expect(await balanceOf(address)).toBe(ETHER - ETHER / 1000n);
      const { rows } = await world.server.owner.query<{ n: number; mined: boolean }>(
        `SELECT a.n, a.height IS NOT NULL AS mined
         FROM custody_attempts a JOIN custody_payment_outputs o USING (payment_id)
        WHERE o.withdraw_id = $1 ORDER BY a.n`,
        [withdrawId.slice(1)],
      );
      expect(rows.filter((row) => row.mined)).toHaveLength(1);
      expect(rows.length).toBeGreaterThan(1);
    },
    LONG,
  );

  it(
    'C6: bytes that a node dropped are sent again',
    async () => {
      const owner = await ownerWith(ETHERS, '3');
      const { withdrawId, address } = await owner.payOut('1');
      await pays(async () => {
        const { txid } = await owner.until(withdrawId, 'confirming');
        await node.call('anvil_dropTransaction', [txid]);
        await expect.poll(() => node.call('eth_getTransactionByHash', [txid]), WAIT).not.toBe(null);
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      });
      expect(await balanceOf(address)).toBe(ETHER - ETHER / 1000n);
    },
    LONG,
  );

  it(
    'deposits are fetched into the hot wallet, tokens with gas that is nobody’s deposit',
    async () => {
      const [owner, holder] = [await ownerWith(ETHERS, '2'), await ownerWith(TOKENS, '7')];
      const [address, full] = [
        await owner.trader.address('ether'),
        await holder.trader.address('tusd'),
      ];
      hasTokens(7_000_000n);
      const before = await balanceOf(hot);
      const count = async (query: string, values: unknown[] = []) => {
        // Each look mines a block: what is sent gets its confirmations.
        await node.mine(1);
        const { rows } = await world.server.owner.query<{ n: number }>(query, values);
        return rows[0]?.n;
      };
      const untilSwept = async () => {
        const swept = 'SELECT count(*)::int AS n FROM custody_swept WHERE address = ANY($1)';
        await expect.poll(() => count(swept, [[address, full]]), WAIT).toBe(2);
        const open = `SELECT count(*)::int AS n FROM custody_payments
                     WHERE kind IN ('sweep', 'gas') AND state <> 'done'`;
        await expect.poll(() => count(open), WAIT).toBe(0);
      };
      await pays(untilSwept);
      hasTokens(1_000_000_000n);
      expect(await balanceOf(hot)).toBeGreaterThan(before);
      expect(await balanceOf(address)).toBeLessThan(ETHER / 100n);
      // Only what people sent is in their accounts.
      expect(await owner.trader.balance('ether')).toMatchObject({ total: '2' });
      expect(await holder.trader.balance('tusd')).toMatchObject({ total: '7' });
      const deposits = await holder.trader.deposits();
      expect(deposits.map(({ coin }) => coin)).toEqual(['tusd']);
    },
    LONG,
  );

  it(
    'a withdrawal that the hot wallet cannot pay waits in the queue, and can be canceled',
    async () => {
      const [owner, holder] = [await ownerWith(ETHERS, '6'), await ownerWith(TOKENS, '7')];
      const held = await balanceOf(hot);
      hasTokens(0n);
      const [first, second] = [await owner.payOut('2'), await owner.payOut('1')];
      const tokens = await holder.payOut('3');
      // Enough for gas, and not for the first of them.
      await node.call('anvil_setBalance', [hot, hex(ETHER + ETHER / 2n)]);
      const waits = (who: typeof owner, { withdrawId }: { withdrawId: string }) =>
        expect
          .poll(() => who.find(withdrawId), WAIT)
          .toMatchObject({ status: 'queued', statusReason: 'hot_funds', txid: '' });
      await pays(async () => {
        await waits(owner, first);
        // Later ones of the coin do not overtake it.
        await waits(owner, second);
        await waits(holder, tokens);
        await owner.ask('withdraw_cancel', { withdrawId: first.withdrawId }, 'DELETE');
        await owner.until(second.withdrawId, 'confirming');
        hasTokens(1_000_000_000n);
        await holder.until(tokens.withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(second.withdrawId, 'completed');
        await holder.until(tokens.withdrawId, 'completed');
      });
      expect(await owner.find(first.withdrawId)).toMatchObject({ status: 'canceled' });
      await expect
        .poll(() => owner.trader.balance('ether'), WAIT)
        .toMatchObject({ available: '5', pendingWithdraw: '0' });
      await node.call('anvil_setBalance', [hot, hex(held)]);
    },
    LONG,
  );

  it(
    'a payment that the signer refuses holds up later ones until two operators void its number',
    async () => {
      const [ana, ben] = [await exampleOperator(world.ctx), await exampleOperator(world.ctx)];
      const [owner, other] = [await ownerWith(ETHERS, '30'), await ownerWith(ETHERS, '3')];
      await node.call('anvil_setBalance', [hot, hex(60n * ETHER)]);
      const large = await owner.payOut('25');
      const small = await other.payOut('1');
      await pays(async () => {
        await other.until(small.withdrawId, 'confirming');
        await expect
          .poll(() => owner.find(large.withdrawId), WAIT)
          .toMatchObject({ status: 'signing', statusReason: 'signer' });
      });
      const { rows } = await world.server.owner.query<{ id: string; state: string }>(
        `SELECT payment_id::text AS id, state FROM custody_payments JOIN custody_payment_outputs USING (payment_id)
          WHERE withdraw_id = $1`,
        [large.withdrawId.slice(1)],
      );
      expect(rows[0]?.state).toBe('needs_operator');
      const id = BigInt(rows[0]?.id ?? 0);
      const resolve = (by: typeof ana, way: 'void' | 'drop') =>
        resolvePayment(world.ctx, by, id, way, 'above the ceiling');
      // A later payment waits for its number.
      await expect(resolve(ana, 'drop')).rejects.toThrow(/Void it/);
      expect(await resolve(ana, 'void')).toEqual({ isDone: false, deciders: 1 });
      await expect(resolve(ana, 'void')).rejects.toThrow();
      expect(await resolve(ben, 'void')).toEqual({ isDone: true, deciders: 2 });
      await pays(async () => {
        await expect
          .poll(async () => {
            await node.mine(1);
            return (await owner.find(large.withdrawId)).status;
          }, WAIT)
          .toBe('failed');
        await other.until(small.withdrawId, 'completed');
      });
      await expect
        .poll(() => owner.trader.balance('ether'), WAIT)
        .toMatchObject({ available: '30', pendingWithdraw: '0' });
      expect(await balanceOf(large.address)).toBe(0n);
    },
    LONG,
  );

  it(
    'nothing is paid while somebody else signs with the key of the hot wallet',
    async () => {
      const owner = await ownerWith(ETHERS, '3');
      await node.call('anvil_setNonce', [hot, '0x64']);
      const { withdrawId } = await owner.payOut('1');
      await pays(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1000));
      });
      expect(await owner.find(withdrawId)).toMatchObject({ status: 'queued', txid: '' });
    },
    LONG,
  );
});
