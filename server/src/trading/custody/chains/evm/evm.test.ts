import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendedPublicKey, JUNK } from '../../../../testing/extended-keys.ts';
import { OddAnswer } from '../chain.ts';
import { createDeriver } from './address.ts';
import { toBlock } from './block.ts';

describe('addresses', () => {
  it('are those that every development chain opens with', () => {
    const addressAt = createDeriver(extendedPublicKey(JUNK, "m/44'/60'/0'"));
    expect(addressAt(0)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
    expect(addressAt(1)).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  });
});

const hash = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const address = (value: number) => `0x${value.toString(16).padStart(40, '0')}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TOKEN = address(0xaa);
const BLOCK = hash(1);

interface Sketch {
  readonly id: number;
  readonly value: bigint;
  readonly to: number;
  readonly logs: readonly {
    readonly to: number;
    readonly amount: bigint;
    readonly isOurs: boolean;
  }[];
  readonly succeeded: boolean;
}

function answersOf(sketches: readonly Sketch[]) {
  let logIndex = 0;
  return {
    block: {
      number: '0x7',
      hash: BLOCK,
      parentHash: hash(2),
      transactions: sketches.map(({ id, value, to }) => ({
        hash: hash(id),
        to: address(to),
        value: `0x${value.toString(16)}`,
      })),
    },
    receipts: sketches.map(({ id, succeeded, logs }) => ({
      transactionHash: hash(id),
      blockHash: BLOCK,
      status: succeeded ? '0x1' : '0x0',
      logs: logs.map(({ to, amount, isOurs }) => ({
        address: isOurs ? TOKEN : address(0xbb),
        topics: [TOPIC, word(5n), word(BigInt(to))],
        data: word(amount),
        logIndex: `0x${(logIndex += 1).toString(16)}`,
      })),
    })),
  };
}

const sketch = fc.record({
  value: fc.bigInt(0n, 2n ** 256n - 1n),
  to: fc.integer({ min: 1, max: 9 }),
  logs: fc.array(
    fc.record({
      to: fc.integer({ min: 1, max: 9 }),
      amount: fc.bigInt(0n, 2n ** 256n - 1n),
      isOurs: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  succeeded: fc.boolean(),
});
const sketches = fc
  .array(sketch, { maxLength: 6 })
  .map((all) => all.map((one, place): Sketch => ({ ...one, id: 100 + place })));

describe('blocks', () => {
  const read = (all: readonly Sketch[]) => toBlock(answersOf(all), new Set([TOKEN])).transfers;
  const ofTransaction = (transfers: ReturnType<typeof read>, id: number) =>
    transfers.filter(({ txid }) => txid === hash(id));

  it('give the same transfers of a transaction at the same places, in whatever order it is mined', () => {
    fc.assert(
      fc.property(sketches, (all) => {
        const turned = [...all].reverse();
        for (const { id } of all) {
          expect(ofTransaction(read(turned), id)).toEqual(ofTransaction(read(all), id));
        }
      }),
    );
  });

  it('give what succeeded, of listed contracts only, each place once', () => {
    fc.assert(
      fc.property(sketches, (all) => {
        const transfers = read(all);
        const expected = all
          .filter(({ succeeded }) => succeeded)
          .flatMap(({ value, logs }) => [
            value,
            ...logs.filter(({ isOurs }) => isOurs).map(({ amount }) => amount),
          ])
          .filter((amount) => amount > 0n);
        expect(transfers.map(({ units }) => units)).toEqual(expected);
        const places = transfers.map(({ txid, place }) => `${txid}:${place}`);
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });

  it('leave out what looks like a transfer of a token and is none', () => {
    const answers = answersOf([
      { id: 9, value: 0n, to: 1, logs: [{ to: 2, amount: 5n, isOurs: true }], succeeded: true },
    ]);
    const [receipt] = answers.receipts;
    const [log] = receipt?.logs ?? [];
    const withLog = (changes: object) =>
      toBlock(
        { ...answers, receipts: [{ ...receipt, logs: [{ ...log, ...changes }] }] },
        new Set([TOKEN]),
      ).transfers;
    expect(withLog({})).toHaveLength(1);
    // As its neighbours print it: the letters' case of an address means nothing.
    expect(withLog({ address: TOKEN.toUpperCase().replace('0X', '0x') })).toHaveLength(1);
    expect(withLog({ topics: [TOPIC, word(5n), word(2n), word(7n)] })).toEqual([]);
    expect(withLog({ topics: [hash(3), word(5n), word(2n)] })).toEqual([]);
    expect(withLog({ topics: [] })).toEqual([]);
    expect(withLog({ data: '0x' })).toEqual([]);
  });

  it('see value that contracts pass on, but nothing below a call that failed', () => {
    const answers = answersOf([{ id: 9, value: 1n, to: 1, logs: [], succeeded: true }]);
    const call = (type: string, to: number, more: object = {}) => ({
      type,
      to: address(to),
      value: '0x5',
      ...more,
    });
    const traces = [
      {
        result: call('CALL', 1, {
          calls: [
            call('CALL', 2, { calls: [call('STATICCALL', 3), call('CALL', 4)] }),
            call('DELEGATECALL', 5),
            call('CALL', 6, { error: 'execution reverted', calls: [call('CALL', 7)] }),
            call('SELFDESTRUCT', 8),
          ],
        }),
      },
    ];
    const { transfers } = toBlock({ ...answers, traces }, new Set());
    expect(transfers.map(({ place, address: to }) => [place, Number(to)])).toEqual([
      ['n', 1],
      ['t0', 2],
      ['t3', 8],
      ['t0.1', 4],
    ]);
    expect(() => toBlock({ ...answers, traces: [] }, new Set())).toThrow(OddAnswer);
  });

  it('that lack a receipt, or have one of another block, are refused', () => {
    const answers = answersOf([{ id: 9, value: 1n, to: 1, logs: [], succeeded: true }]);
    expect(() => toBlock({ ...answers, receipts: [] }, new Set())).toThrow('lacks the receipt');
    const [receipt] = answers.receipts;
    const foreign = { ...answers, receipts: [{ ...receipt, blockHash: hash(99) }] };
    expect(() => toBlock(foreign, new Set())).toThrow('lacks the receipt');
    expect(() => toBlock({ ...answers, block: null }, new Set())).toThrow(OddAnswer);
  });
});
