import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findNetworkProblems, readNetworks } from './custody-networks.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-networks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
const LTC = { network: 'LTC', chain: 'litecoin', publicKey: KEY, blockSeconds: 150 };

function read(content: unknown) {
  const file = join(folder, 'networks.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readNetworks({ CUSTODY_NETWORKS_FILE: file });
}

it('a network has defaults, and an api needs no nodes', () => {
  const { networks, problems } = read([LTC]);
  expect(problems).toEqual([]);
  expect(networks).toEqual([
    { ...LTC, chainId: '', nodes: [], traces: false, sweeps: {}, tiers: {}, withdrawals: {} },
  ]);
  expect(readNetworks({ CUSTODY_NETWORKS_FILE: '' }).networks).toEqual([]);
});

it.each([
  ['{', 'cannot be read as JSON'],
  [{}, 'must be a list'],
  [Array.from({ length: 51 }, () => LTC), 'at most 50 networks'],
  [[LTC, LTC], 'the network LTC is there twice'],
  [[{ ...LTC, chain: 'dogecoin' }], 'number 1: chain'],
  [[{ ...LTC, node: 'x' }], 'number 1: it'],
  [[{ ...LTC, publicKey: KEY.replace('xpub', 'xprv') }], 'number 1: publicKey'],
  [[{ ...LTC, blockSeconds: 0 }], 'number 1: blockSeconds'],
  [[{ ...LTC, sweeps: { ltc: '1' } }], 'sweeps belong to the chain "evm"'],
  [[{ ...LTC, feeRate: { min: '20', max: '10' } }], 'feeRate has a min above its max'],
  [[{ ...LTC, withdrawals: { ltc: { automaticMax: '1' } } }], 'number 1: withdrawals.ltc'],
  [[{ ...LTC, chain: 'evm' }], 'every such chain has one'],
  [[{ ...LTC, chainId: '1' }], 'chainId belongs to the chain "evm"'],
  [[{ ...LTC, nodes: ['http://:::'] }], 'nodes must be URLs'],
])('a wrong file is refused with what is wrong: %j', (content, words) => {
  const { networks, problems } = read(content);
  expect(networks).toEqual([]);
  expect(problems.join('\n')).toContain(words);
  expect(problems[0]).toMatch(/^CUSTODY_NETWORKS_FILE /);
});

it('a password of a node is not repeated', () => {
  const { problems } = read([{ ...LTC, nodes: ['http://rialto:secret@:::'] }]);
  expect(problems.join('\n')).not.toContain('secret');
  expect(findNetworkProblems({ CUSTODY_NETWORKS_FILE: join(folder, 'none') })[0]).toContain(
    'ENOENT',
  );
});
