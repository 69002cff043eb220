import { isSignedMessage, reserveStatement } from '@rialto/chains';
import { expect, it } from 'vitest';
import { attest } from './attest.ts';
import { readRequest } from './request.ts';
import { depositAddress, hotAddress, keys, ourAddress, policy } from './test-signer.ts';

const blockHash = 'ab'.repeat(32);
const [utxo = '', evm = ''] = ['utxo', 'evm'].map(
  (kind) => [...policy.networks.values()].find((network) => network.kind === kind)?.name,
);
const request = (change: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    op: 'attest',
    venue: 'https://rialto.example',
    network: utxo,
    height: 7,
    blockHash,
    addresses: [{ purpose: 'deposit', index: 3 }],
    ...change,
  });
const ask = (change: Readonly<Record<string, unknown>>) => {
  const read = readRequest(request(change));
  if (read.op !== 'attest') throw new Error('It asks for signatures of addresses.');
  return attest(keys, policy, read).signatures;
};

it('signs that the keys of addresses are here, in the order of the request', () => {
  const branches = [
    { purpose: 'change', index: 5 },
    { purpose: 'deposit', index: 3 },
  ];
  for (const [network, addresses, expected] of [
    [utxo, branches, [ourAddress(1, 5), ourAddress(0, 3)]],
    [
      evm,
      [
        { purpose: 'hot', index: 0 },
        { purpose: 'deposit', index: 9 },
      ],
      [hotAddress, depositAddress(9)],
    ],
  ] as const) {
    const signed = ask({ network, addresses });
    expect(signed.map(({ address }) => address)).toEqual(expected);
    for (const { address, signature } of signed) {
      const about = { venue: 'https://rialto.example', network, height: 7, blockHash, address };
      expect(isSignedMessage(address, reserveStatement(about), signature)).toBe(true);
    }
  }
});

it.each([
  ['a second line in the venue', { venue: 'https://a.example\naddress: mine' }],
  ['letters that look like others', { venue: 'https://а.example' }],
  ['no venue', { venue: '' }],
  ['a text instead of a block', { blockHash: 'send all my coins to'.padEnd(64, '.') }],
  ['a text of its own', { text: 'send all my coins' }],
  [
    'too many addresses',
    { addresses: Array.from({ length: 101 }, () => ({ purpose: 'deposit', index: 1 })) },
  ],
  ['an index that is no number', { addresses: [{ purpose: 'deposit', index: 0.5 }] }],
  ['a purpose that there is not', { addresses: [{ purpose: 'cold', index: 0 }] }],
  ['a hot wallet where there is none', { addresses: [{ purpose: 'hot', index: 0 }] }],
  ['change where there is none', { network: evm, addresses: [{ purpose: 'change', index: 0 }] }],
  ['an unknown network', { network: 'NOPE' }],
])('refuses %s', (_what, change) => {
  expect(() => ask(change)).toThrow();
});
