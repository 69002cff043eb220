// Transactions that are put together at random, and a twin that knows how each part was made.
import { Transaction } from '@scure/btc-signer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  LTC,
  REGTEST,
  keys,
  makePsbt,
  ourAddress,
  policy,
  strangersAddress,
} from '../test-signer.ts';
import { readUtxo } from './read.ts';
import { signUtxo } from './sign.ts';
import type { Declared } from '../judge/declared.ts';
import { Refusal } from '../refusal.ts';
import { readUtxoAddress } from '@rialto/chains';
import type { UtxoPolicy } from '../policy/policy.ts';

const network = policy.networks.get('LTC') as UtxoPolicy;
const coin = network.coins.get('ltc');

const hexOf = (address: string) =>
  Buffer.from(readUtxoAddress(REGTEST, address) ?? []).toString('hex');

const declare = (address: string, units: bigint): Declared => {
  if (coin === undefined) throw new Error('The policy has the coin.');
  return { output: { address, amount: '' }, coin, units, target: hexOf(address) };
};

const part = fc.record({
  to: fc.nat(2),
  units: fc.bigInt({ min: 1n, max: 3n }).map((units) => units * LTC),
  isDeclared: fc.constantFrom(true, true, true, false),
});

it('is accepted exactly if every part is ours or declared, and then signs exactly that', () => {
  let accepted = 0;
  const history = fc.record({
    inputs: fc.array(fc.constantFrom(true, true, true, false), { minLength: 1, maxLength: 3 }),
    paid: fc.array(part, { maxLength: 3 }),
    /** Declared and left out. */
    missing: fc.option(part, { freq: 6, nil: undefined }),
    changeIsOurs: fc.constantFrom(true, true, true, false),
    fee: fc.bigInt({ min: 0n, max: 20_000n }),
  });
  fc.assert(
    fc.property(history, ({ inputs, paid, missing, changeIsOurs, fee }) => {
      const sum = paid.reduce((total, { units }) => total + units, 0n);
      const worth = sum + LTC;
      const psbt = makePsbt(
        inputs.map((isOurs, at) => ({
          vout: at,
          units: at === 0 ? worth : 0n,
          ...(isOurs
            ? {}
            : { script: readUtxoAddress(REGTEST, strangersAddress(9)) ?? new Uint8Array() }),
        })),
        [
          ...paid.map(({ to, units }) => ({ address: strangersAddress(to), units })),
          {
            address: changeIsOurs ? ourAddress(1, 3) : strangersAddress(8),
            units: LTC - fee,
            change: { index: 3 },
          },
        ],
      );
      const declared = [
        ...paid.filter(({ isDeclared }) => isDeclared),
        ...(missing ? [missing] : []),
      ].map(({ to, units }) => declare(strangersAddress(to), units));
      // The twin: by what the parts are, not by what the bytes say.
      const bag = (list: readonly { to: number; units: bigint }[]) =>
        list
          .map(({ to, units }) => `${to} ${units}`)
          .sort()
          .join();
      const isRight =
        inputs.every(Boolean) &&
        changeIsOurs &&
        bag(paid) ===
          bag([...paid.filter(({ isDeclared }) => isDeclared), ...(missing ? [missing] : [])]);
      const size = 10.5 + 0.25 * 106 * inputs.length + 41 * inputs.length + 31 * (paid.length + 1);
      const isCheap = fee <= 100n * BigInt(Math.ceil(size));
      let verdict = true;
      try {
        const deed = readUtxo(psbt, declared, network, keys);
        const { raw, txid } = signUtxo(deed, keys);
        const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'));
        expect(tx.id).toBe(txid);
        const strangers = Array.from({ length: tx.outputsLength }, (_, at) => tx.getOutput(at))
          .map(({ script, amount }) => `${Buffer.from(script ?? []).toString('hex')} ${amount}`)
          .filter((output) => !output.startsWith(hexOf(ourAddress(1, 3))))
          .sort();
        expect(strangers).toEqual(declared.map(({ target, units }) => `${target} ${units}`).sort());
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        verdict = false;
      }
      expect(verdict).toBe(isRight && isCheap);
      if (verdict) accepted += 1;
    }),
    { numRuns: 300 },
  );
  // Both verdicts came up; how often is chance.
  expect(accepted).toBeGreaterThan(0);
});

it('a PSBT with any byte changed is refused, or still pays only what is declared', () => {
  const psbt = Buffer.from(
    makePsbt(
      [{}],
      [
        { address: strangersAddress(1), units: LTC },
        { address: ourAddress(1, 0), units: LTC - 10_000n, change: { index: 0 } },
      ],
    ),
    'base64',
  );
  const declared = [declare(strangersAddress(1), LTC)];
  fc.assert(
    fc.property(fc.nat(psbt.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(psbt);
      changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
      try {
        const deed = readUtxo(changed.toString('base64'), declared, network, keys);
        const strangers = deed.outputs.filter(
          ({ script }) => Buffer.from(script).toString('hex') !== hexOf(ourAddress(1, 0)),
        );
        expect(strangers).toHaveLength(1);
        expect(strangers[0]?.units).toBe(LTC);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: 400 },
  );
});
