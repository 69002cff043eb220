import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { signHead, verifyHead } from './heads.ts';
import { exportPublicKey, importPublicKey, keyIdOf, readKeyRing, toSigningKey } from './keys.ts';
import { checkReceipt, parametersText, receiptText, signReceipt } from './receipts.ts';
import { parametersHash } from './receipts.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const ring = readKeyRing(JSON.stringify([toSigningKey(publicKey)]));
const HASH = 'a'.repeat(64);

it('signs as RFC 8032 does', () => {
  // The first test vector there: an empty message, with our published form of its public key.
  const seed = Buffer.from(
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'hex',
  );
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  expect(Buffer.from(exportPublicKey(key), 'base64').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
});

it('a head is checked with the key it names', () => {
  const head = signHead({ seq: '5', hash: HASH, time: '1760000000000' }, privateKey);
  expect(head.keyId).toBe(keyIdOf(publicKey));
  expect(verifyHead(head, ring)).toBeUndefined();
  expect(verifyHead({ ...head, seq: '6' }, ring)).toContain('does not fit');
  expect(verifyHead({ ...head, signature: `${head.signature.slice(0, -2)}A=` }, ring)).toContain(
    'does not fit',
  );
  expect(verifyHead(signHead(head, other.privateKey), ring)).toContain('not among the keys given');
});

it('keys are read from a list, from one entry, from the answer of the route, and from PEM', () => {
  const entry = toSigningKey(publicKey);
  const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string;
  for (const text of [
    JSON.stringify([entry]),
    JSON.stringify(entry),
    JSON.stringify({ status: 'true', result: [entry] }),
    pem,
    entry.publicKey,
  ]) {
    expect([...readKeyRing(text).keys()]).toEqual([entry.keyId]);
  }
  expect(() =>
    readKeyRing(JSON.stringify({ ...toSigningKey(other.publicKey), keyId: entry.keyId })),
  ).toThrow('names are not free');
  expect(() => readKeyRing('[]')).toThrow('empty');
  expect(() => readKeyRing('[1]')).toThrow('"publicKey"');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const rsaPem = rsa.export({ format: 'pem', type: 'spki' }) as string;
  expect(() => importPublicKey(rsaPem)).toThrow('Ed25519');
});

const TERMS = { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '64250.10', volume: '0.5' };

it('the terms of an order have one text, however they were written', () => {
  const text =
    '{"symbol":"btcusdt","side":"buy","type":"limit","timeInForce":"GTC","postOnly":"false",' +
    '"stpMode":"","price":"64250.1","stopPrice":"","trailingDelta":"","volume":"0.5","total":"",' +
    '"visibleVolume":"","expireTime":""}';
  expect(parametersText(TERMS)).toBe(text);
  expect(
    parametersText({ ...TERMS, price: '064250.100', postOnly: false, timeInForce: 'GTC' }),
  ).toBe(text);
  expect(parametersText({ ...TERMS, type: 'market' })).toContain('"timeInForce":""');
  expect(() => parametersText({ ...TERMS, price: '1e3' })).toThrow('plain decimal');
});

it('a receipt binds the account, the order, its step and its terms', () => {
  const receipt = signReceipt(
    {
      accountId: '7',
      clientOrderId: 'desk/a:1',
      orderId: '12',
      engineSeq: '40',
      time: '1760000000000',
      parametersHash: parametersHash(TERMS),
    },
    privateKey,
  );
  expect(receiptText(receipt)).toBe(
    `{"accountId":"7","clientOrderId":"desk/a:1","orderId":"12","engineSeq":"40",` +
      `"time":"1760000000000","parametersHash":"${receipt.parametersHash}","keyId":"${receipt.keyId}"}`,
  );
  expect(checkReceipt(receipt, ring)).toBeUndefined();
  expect(checkReceipt(receipt, ring, TERMS)).toBeUndefined();
  expect(checkReceipt(receipt, ring, { ...TERMS, price: '64250.11' })).toContain('other terms');
  for (const name of ['accountId', 'clientOrderId', 'orderId', 'engineSeq', 'time'] as const) {
    expect(checkReceipt({ ...receipt, [name]: '8' }, ring)).toContain('does not fit');
  }
});
