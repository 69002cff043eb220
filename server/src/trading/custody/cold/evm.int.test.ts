// Coins to the cold wallet and back on a real EVM node.
import { randomBytes } from 'node:crypto';
import {
  deriveXpub,
  EVM_HOT_ACCOUNT,
  evmAddress,
  openAccount,
  openPrivateAccount,
  signEvmTransaction,
  transferData,
} from '@rialto/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { hasAnvil } from '../../../testing/chains/anvil.ts';
import { ETHER, openEvmVenue, type EvmVenue } from '../../../testing/chains/evm-venue.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { askReturn, findReturn, readReturn, submitReturn } from '../operators/cold.ts';

const LONG = 240_000;
const WAIT = { timeout: 30_000 };
const seed = randomBytes(32);
const keyAt = (index: number) => openPrivateAccount(seed, EVM_HOT_ACCOUNT)({ branch: 0, index });
const coldKey = keyAt(0);
const cold = evmAddress(
  openAccount(deriveXpub(seed, EVM_HOT_ACCOUNT)).publicKey({ branch: 0, index: 0 }),
);

describe.skipIf(!hasAnvil)('the cold wallet of an EVM chain', () => {
  let venue: EvmVenue;
  let operator: Operator;
  beforeAll(async () => {
    const tier = { floor: '1', target: '4', ceiling: '6', cold };
    venue = await openEvmVenue({
      policy: { coldTargets: [cold] },
      network: { tiers: { ether: tier, tusd: tier } },
    });
    operator = await exampleOperator(venue.world.ctx);
  }, LONG);
  afterAll(() => venue.close());

  const payments = async () => {
    const { rows } = await venue.world.server.owner.query<{ kind: string; state: string }>(
      "SELECT kind, state FROM custody_payments WHERE kind LIKE '%cold' ORDER BY payment_id",
    );
    return rows.map(({ kind, state }) => `${kind} ${state}`);
  };
  const differences = () => venue.world.differences('DEV');
  const ask = async (coin: string, amount: string) => {
    const { ctx } = venue.world;
    const id = await askReturn(ctx, operator, { network: 'DEV', coin, amount });
    return venue.paying(async () => {
      const answered = async () => {
        const found = await findReturn(ctx, id);
        return found?.paymentId ?? (found?.refusal || undefined);
      };
      await expect.poll(answered, WAIT).toBeDefined();
      return answered();
    });
  };

  it(
    'ether and tokens go there above the ceiling, and come back signed by its key alone',
    async () => {
      const { node, world, hot } = venue;
      const { ctx } = world;
      await venue.ownerWith('ether', '10');
      await venue.ownerWith('tusd', '9');
      /** Blocks come until the payments have ended. */
      const settle = (expected: readonly string[]) =>
        venue.paying(() =>
          expect
            .poll(
              async () => {
                await node.mine(1);
                return payments();
              },
              { timeout: 60_000, interval: 300 },
            )
            .toEqual(expected),
        );
      await settle(['to_cold done', 'to_cold done']);
      expect(await venue.balanceOf(cold)).toBeGreaterThan(5n * ETHER);
      await node.mine(3);
      await expect.poll(differences, WAIT).toEqual({ ether: 0n, tusd: 0n });

      expect(await ask('ether', '100')).toMatch(/The cold wallet has/);
      expect(await ask('nothing', '1')).toMatch(/no cold wallet/);
      for (const [coin, amount] of [
        ['ether', '1'],
        ['tusd', '1'],
      ] as const) {
        const paymentId = await ask(coin, amount);
        if (typeof paymentId !== 'bigint') throw new Error(`Refused: ${paymentId}`);
        const { text, from } = await readReturn(ctx, paymentId);
        expect(from).toBe(cold);
        const fields = JSON.parse(text) as Record<string, string>;
        const transaction = {
          chainId: BigInt(fields['chainId'] ?? 0),
          nonce: BigInt(fields['nonce'] ?? 0),
          maxPriorityFeePerGas: BigInt(fields['maxPriorityFeePerGas'] ?? 0),
          maxFeePerGas: BigInt(fields['maxFeePerGas'] ?? 0),
          gas: BigInt(fields['gas'] ?? 0),
          to: fields['to'] ?? '',
          value: BigInt(fields['value'] ?? 0),
          data: Uint8Array.from(Buffer.from((fields['data'] ?? '0x').slice(2), 'hex')),
        };
        const isToken = coin === 'tusd';
        expect(transaction.data).toEqual(
          isToken ? transferData(hot, 1_000_000n) : new Uint8Array(),
        );
        expect(transaction.to).toBe(isToken ? venue.token : hot);
        const submit = (raw: string) => submitReturn(ctx, operator, paymentId, raw);
        const bySomebody = signEvmTransaction(transaction, keyAt(1));
        await expect(submit(bySomebody.raw)).rejects.toThrow('the cold wallet is');
        const other = signEvmTransaction({ ...transaction, to: cold }, coldKey);
        await expect(submit(other.raw)).rejects.toThrow('not the prepared transaction');
        const { raw, hash } = signEvmTransaction(transaction, coldKey);
        expect(await submit(raw.slice(2))).toBe(hash);
        await settle([
          'to_cold done',
          'to_cold done',
          ...(isToken ? ['from_cold done'] : []),
          'from_cold done',
        ]);
        await node.mine(3);
        await expect.poll(differences, WAIT).toEqual({ ether: 0n, tusd: 0n });
      }
    },
    LONG,
  );
});
