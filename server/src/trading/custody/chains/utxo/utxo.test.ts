import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ABANDON, extendedPublicKey } from '../../../../testing/extended-keys.ts';
import { OddAnswer } from '../chain.ts';
import { parseExactly } from '../rpc.ts';
import { createDeriver } from './address.ts';
import { toBlock, toUnits } from './block.ts';
import { UTXO_CHAINS, type UtxoParams } from './params.ts';

const networkOf = (chain: string) => (UTXO_CHAINS[chain] as UtxoParams).network;
const BITCOIN = networkOf('bitcoin');
const LITECOIN = networkOf('litecoin');
const XPUB =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';

describe('addresses', () => {
  it('are those of the vectors of BIP 84', () => {
    expect(extendedPublicKey(ABANDON, "m/84'/0'/0'")).toBe(XPUB);
    const addressAt = createDeriver(XPUB, BITCOIN);
    expect(addressAt(0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    expect(addressAt(1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
    expect(createDeriver(XPUB, LITECOIN)(0)).toMatch(/^ltc1q/);
  });

  it('refuse a private key, and a text that is no key', () => {
    expect(() => createDeriver(XPUB.replace('V', 'W'), BITCOIN)).toThrow();
    expect(() => createDeriver('xprv', BITCOIN)).toThrow();
  });
});

describe('amounts', () => {
  it('come exactly from the text of the node', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 84_000_000n * 10n ** 8n), (units) => {
        const digits = units.toString().padStart(9, '0');
        const text = `${digits.slice(0, -8)}.${digits.slice(-8)}`;
        const { value } = parseExactly(`{"value":${text}}`) as { value: string };
        expect(toUnits(value)).toBe(units);
      }),
    );
    expect(toUnits('1')).toBe(100_000_000n);
    expect(toUnits('0.1')).toBe(10_000_000n);
  });

  it('in any other form are refused', () => {
    for (const text of ['1e-8', '-1', '0.123456789', '.5', '', '1,5', ' 1', '99999999999']) {
      expect(() => toUnits(text)).toThrow(OddAnswer);
    }
  });
});

describe('blocks', () => {
  const hash = (digit: string) => digit.repeat(64);
  const script = (digit: string) => ({
    hex: `0014${digit.repeat(40)}`,
    address: 'whatever it says',
  });
  const output = (n: number, value: string, digit: string) => ({
    n: String(n),
    value,
    scriptPubKey: script(digit),
  });
  const block = (tx: unknown[]) => ({
    height: '7',
    hash: hash('a'),
    previousblockhash: hash('b'),
    tx,
  });

  it('give a transfer for each output to a hash of a key, by its number', () => {
    const tx = {
      txid: hash('c'),
      vin: [{ txid: hash('d'), vout: '0' }],
      vout: [
        output(0, '1.5', '1'),
        { n: '1', value: '2', scriptPubKey: { hex: '6a' } },
        output(2, '0.00000001', '1'),
        output(3, '0', '2'),
      ],
    };
    const read = toBlock(block([tx]), LITECOIN);
    expect(read).toMatchObject({ height: 7, hash: hash('a'), parent: hash('b') });
    expect(read.transfers.map(({ place, units, maturity }) => [place, units, maturity])).toEqual([
      ['0', 150_000_000n, 0],
      ['2', 1n, 0],
    ]);
  });

  it('know which outputs the chain does not let spend at once', () => {
    const mined = { txid: hash('c'), vin: [{ coinbase: '51' }], vout: [output(0, '50', '1')] };
    const out = { n: '0', value: '9', scriptPubKey: { hex: `5820${hash('0')}` } };
    const hogex = { txid: hash('e'), vin: [{ txid: hash('d') }], vout: [out, output(1, '1', '1')] };
    const { transfers } = toBlock(block([mined, hogex]), LITECOIN);
    expect(transfers.map(({ maturity }) => maturity)).toEqual([100, 6]);
  });

  it('that lack something are refused', () => {
    const good = { txid: hash('c'), vin: [{}], vout: [output(0, '1', '1')] };
    const bad: unknown[] = [
      null,
      block([{ ...good, txid: 'x' }]),
      block([{ ...good, vout: undefined }]),
      block([{ ...good, vout: [{ ...output(0, '1', '1'), value: '1e3' }] }]),
      block([{ ...good, vout: [{ ...output(0, '1', '1'), n: '-1' }] }]),
      { ...block([good]), height: '-4' },
      { ...block([good]), hash: 'zz' },
    ];
    for (const one of bad) expect(() => toBlock(one, LITECOIN)).toThrow(OddAnswer);
  });
});
