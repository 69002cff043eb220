import { secp256k1 } from '@noble/curves/secp256k1.js';
import { NETWORK, WIF } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  evmAddress,
  isSignedMessage,
  reserveStatement,
  signEvmMessage,
  signUtxoMessage,
  utxoAddress,
} from './index.ts';

const key = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes[0] !== 255 && bytes.some(Boolean));

describe('a message by the key of an address', () => {
  it('has the signatures of the vectors of BIP-322', () => {
    const address = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
    const privateKey = WIF(NETWORK).decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k');
    expect(utxoAddress(NETWORK, secp256k1.getPublicKey(privateKey, true))).toBe(address);
    const vectors = {
      '': 'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
      'Hello World':
        'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    };
    for (const [text, signature] of Object.entries(vectors)) {
      expect(isSignedMessage(address, text, signature)).toBe(true);
      expect(isSignedMessage(address, `${text}.`, signature)).toBe(false);
      expect(isSignedMessage(address, text, signUtxoMessage(text, privateKey))).toBe(true);
    }
  });

  it('has the signature that Ethereum wallets give', () => {
    // Of the documentation of web3.js, `eth.accounts.sign('Some data', …)`.
    const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';
    const signature =
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c';
    const privateKey = Buffer.from(
      '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
      'hex',
    );
    expect(signEvmMessage('Some data', privateKey)).toBe(signature);
    expect(isSignedMessage(address, 'Some data', signature)).toBe(true);
    expect(isSignedMessage(address, 'Some date', signature)).toBe(false);
    expect(isSignedMessage(address, 'Some data', signature.replace(/1c$/, '1b'))).toBe(false);
  });

  it('holds for that address and that text alone, whatever they are', () => {
    fc.assert(
      fc.property(key, key, fc.string(), fc.string(), (mine, other, text, changed) => {
        fc.pre(text !== changed && Buffer.compare(mine, other) !== 0);
        const [own, foreign] = [mine, other].map((one) => secp256k1.getPublicKey(one, true));
        if (own === undefined || foreign === undefined) return;
        for (const [sign, addressOf] of [
          [signEvmMessage, evmAddress],
          [signUtxoMessage, (one: Uint8Array) => utxoAddress(NETWORK, one)],
        ] as const) {
          const signature = sign(text, mine);
          expect(isSignedMessage(addressOf(own), text, signature)).toBe(true);
          expect(isSignedMessage(addressOf(own), changed, signature)).toBe(false);
          expect(isSignedMessage(addressOf(foreign), text, signature)).toBe(false);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is refused as anything else, and nothing is thrown', () => {
    for (const address of [
      '',
      '0x',
      'bc1q',
      'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
      'x'.repeat(200),
    ]) {
      for (const signature of ['', '0x', 'AA==', '!', 'A'.repeat(5000)]) {
        expect(isSignedMessage(address, 'text', signature)).toBe(false);
      }
    }
  });

  it('of a proof names venue, network, block and address', () => {
    const statement = {
      venue: 'https://rialto.example',
      network: 'LTC',
      height: 7,
      blockHash: 'ab',
    };
    expect(reserveStatement({ ...statement, address: 'ltc1q' })).toBe(
      'Rialto proof of reserves\nvenue: https://rialto.example\nnetwork: LTC\nblock: 7 ab\naddress: ltc1q',
    );
  });
});
