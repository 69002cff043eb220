import { mnemonicToSeedSync } from '@scure/bip39';
import { NETWORK, p2ms, p2wsh, Transaction } from '@scure/btc-signer';
import { describe, expect, it } from 'vitest';
import {
  composeWatchedPsbt,
  deriveXpub,
  evmAddress,
  openAccount,
  openPrivateAccount,
  readSignedEvm,
  readSignedUtxo,
  readUtxoAddress,
  signEvmTransaction,
  spellScript,
  transferData,
  utxoAccount,
  utxoAddress,
} from './index.ts';

const seed = mnemonicToSeedSync(
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
);
const privateKey = openPrivateAccount(seed, utxoAccount(0));
const account = openAccount(deriveXpub(seed, utxoAccount(0)));
const keyAt = (index: number) => privateKey({ branch: 0, index });
const publicAt = (index: number) => account.publicKey({ branch: 0, index });
const venue = utxoAddress(NETWORK, publicAt(9));
const stranger = utxoAddress(NETWORK, publicAt(8));
const cold = p2wsh(p2ms(2, [publicAt(1), publicAt(2), publicAt(3)]), NETWORK);
const coldAddress = cold.address ?? '';
const TXID = 'ab'.repeat(32);

const asked = {
  inputs: [{ txid: TXID, vout: 1, units: 700_000n, address: coldAddress }],
  outputs: [
    { address: venue, units: 500_000n },
    { address: coldAddress, units: 190_000n },
  ],
};
const unsigned = composeWatchedPsbt(NETWORK, asked);

/** As a wallet does it that knows its script and some of its keys. */
function sign(psbt: string, keys: readonly number[]): Transaction {
  const transaction = Transaction.fromPSBT(Buffer.from(psbt, 'base64'));
  transaction.updateInput(0, { witnessScript: cold.witnessScript });
  for (const index of keys) transaction.sign(keyAt(index));
  return transaction;
}
const inBase64 = (transaction: Transaction) => Buffer.from(transaction.toPSBT()).toString('base64');

describe('a transaction out of a wallet with keys elsewhere', () => {
  it('comes back as a PSBT or as bytes, and both are the same transaction', () => {
    const signed = sign(unsigned, [1, 3]);
    const fromPsbt = readSignedUtxo(unsigned, `${inBase64(signed)}\n`);
    signed.finalize();
    expect(fromPsbt).toEqual({
      raw: Buffer.from(signed.extract()).toString('hex'),
      txid: signed.id,
    });
    expect(readSignedUtxo(unsigned, fromPsbt.raw.toUpperCase())).toEqual(fromPsbt);
  });

  it.each([
    ['another target', { ...asked, outputs: [{ address: stranger, units: 500_000n }] }],
    ['another amount', { ...asked, outputs: [{ address: venue, units: 499_999n }] }],
    [
      'another input',
      { ...asked, inputs: [{ txid: TXID, vout: 0, units: 700_000n, address: coldAddress }] },
    ],
  ])('is refused with %s', (_what, other) => {
    const signed = sign(composeWatchedPsbt(NETWORK, other), [1, 2]);
    expect(() => readSignedUtxo(unsigned, inBase64(signed))).toThrow('something else');
  });

  it('is refused half signed, unsigned, or as anything else', () => {
    expect(() => readSignedUtxo(unsigned, inBase64(sign(unsigned, [2])))).toThrow('signed whole');
    expect(() => readSignedUtxo(unsigned, unsigned)).toThrow('signed whole');
    const bare = Transaction.fromPSBT(Buffer.from(unsigned, 'base64'));
    expect(() => readSignedUtxo(unsigned, Buffer.from(bare.unsignedTx).toString('hex'))).toThrow(
      'input 0 is not signed',
    );
    for (const text of ['', 'hello', '00', 'f'.repeat(5000)]) {
      expect(() => readSignedUtxo(unsigned, text)).toThrow('neither');
    }
  });

  it('of an EVM chain is known by its bytes, and its sender by the signature', () => {
    const target = evmAddress(publicAt(4));
    for (const data of [new Uint8Array(), transferData(target, 7n)]) {
      const transaction = {
        chainId: 31_337n,
        nonce: 0n,
        maxPriorityFeePerGas: 1_000_000_000n,
        maxFeePerGas: 30_000_000_000n,
        gas: 60_000n,
        to: target,
        value: 10n ** 18n,
        data,
      };
      for (let index = 0; index < 20; index += 1) {
        const { raw, hash } = signEvmTransaction(transaction, keyAt(index));
        const read = { hash, sender: evmAddress(publicAt(index)) };
        expect(readSignedEvm(transaction, raw)).toEqual(read);
        expect(readSignedEvm(transaction, raw.toUpperCase().replace('0X', '0x'))).toEqual(read);
        expect(readSignedEvm({ ...transaction, nonce: 1n }, raw)).toBeUndefined();
        expect(readSignedEvm({ ...transaction, to: evmAddress(publicAt(5)) }, raw)).toBeUndefined();
        expect(readSignedEvm(transaction, `${raw}00`)).toBeUndefined();
        expect(readSignedEvm(transaction, raw.slice(0, -2))).toBeUndefined();
      }
    }
    const empty = { chainId: 1n, nonce: 0n, maxPriorityFeePerGas: 0n, maxFeePerGas: 0n, gas: 0n };
    expect(readSignedEvm({ ...empty, to: target, value: 0n, data: new Uint8Array() }, '0x02')).toBe(
      undefined,
    );
  });

  it('names the address of every form of script', () => {
    for (const address of [venue, coldAddress, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy']) {
      const script = Buffer.from(readUtxoAddress(NETWORK, address) ?? []).toString('hex');
      expect(spellScript(NETWORK, script)).toBe(address);
    }
    expect(spellScript(NETWORK, '6a00')).toBeUndefined();
    expect(spellScript(NETWORK, '')).toBeUndefined();
  });
});
