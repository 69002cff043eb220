import { expect, it } from 'vitest';
import { readPolicy } from './policy.ts';
import { policyFile } from '../test-signer.ts';

const { LTC, ETH } = policyFile.networks;
const read = (change: object) => readPolicy(JSON.stringify({ ...policyFile, ...change }));
const withLtc = (change: object) => read({ networks: { LTC: { ...LTC, ...change } } });
const withEth = (change: object) => read({ networks: { ETH: { ...ETH, ...change } } });

it('a right policy is read into units', () => {
  const { networks, approvalsNeeded } = read({});
  expect(networks.get('LTC')?.coins.get('ltc')?.hourMax).toBe(2_000_000_000n);
  expect(networks.get('ETH')?.coins.get('usdt')?.approvalAbove).toBe(500_000_000n);
  expect(networks.get('ETH')?.fee.transactionMax).toBe(20_000_000_000_000_000n);
  expect(approvalsNeeded).toBe(2);
});

it('what is unknown, missing, out of order or no address is refused, with its place', () => {
  const [ana, ben] = policyFile.operators;
  expect(() => readPolicy('{')).toThrow(/no JSON/);
  expect(() => read({ version: 2 })).toThrow(/version/);
  expect(() => read({ more: true })).toThrow(/wrong/);
  expect(() => read({ networks: {} })).toThrow(/networks/);
  expect(() => withLtc({ hourMax: undefined })).toThrow(/LTC/);
  expect(() => withLtc({ hourMax: '9' })).toThrow(/transactionMax ≤ hourMax/);
  expect(() => withLtc({ hourMax: 20 })).toThrow(/LTC/);
  expect(() => withLtc({ approvalAbove: '0.000000001' })).toThrow(/more than 8 decimals/);
  expect(() => withLtc({ unknown: 1 })).toThrow(/LTC/);
  expect(() => withLtc({ coldTargets: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'] })).toThrow(
    /no address of this network/,
  );
  expect(() => withEth({ tokens: { usdt: { ...ETH.tokens.usdt, contract: '0x12' } } })).toThrow(
    /usdt.contract: is no address/,
  );
  const twice = { usdt: ETH.tokens.usdt, other: ETH.tokens.usdt };
  expect(() => withEth({ tokens: twice })).toThrow(/another token/);
  expect(() => read({ operators: [ana] })).toThrow(/operators/);
  expect(() => read({ operators: [ana, { ...ben, key: ana?.key }] })).toThrow(/one key/);
  expect(() => read({ approvalsNeeded: 4 })).toThrow(/only 3/);
});
