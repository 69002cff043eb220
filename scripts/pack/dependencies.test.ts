import { expect, it } from 'vitest';
import { dependenciesOf } from './dependencies.ts';

const needs = (...names: readonly string[]) => ({
  version: '1.0.0',
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});

it('follows the lockfile as Node would: the nearest copy, each once, and no development packages', () => {
  const { bundled } = dependenciesOf(
    {
      packages: {
        '': needs('tool'),
        server: needs('a', 'b', '@us/core'),
        'server/node_modules/b': needs('c'),
        'node_modules/@us/core': { link: true },
        'node_modules/a': needs('c', 'b'),
        'node_modules/a/node_modules/b': needs(),
        'node_modules/c': needs('a'),
        'node_modules/tool': needs(),
      },
    },
    'server',
  );
  expect(new Map(bundled.map(({ from, to }) => [from, to]))).toEqual(
    new Map([
      ['node_modules/a', 'node_modules/a'],
      ['node_modules/a/node_modules/b', 'node_modules/a/node_modules/b'],
      ['node_modules/c', 'node_modules/c'],
      ['server/node_modules/b', 'node_modules/b'],
    ]),
  );
});

it('leaves binaries to be fetched, for the supported systems, by exact version', () => {
  const binary = { version: '2.0.1', os: ['linux'], cpu: ['x64'] };
  const { bundled, binaries } = dependenciesOf(
    {
      packages: {
        server: {
          optionalDependencies: { 'p-linux-x64': '*', 'p-win32-x64': '*', 'p-linux-arm64': '*' },
        },
        'node_modules/p-linux-x64': binary,
        'node_modules/p-win32-x64': { ...binary, os: ['win32'] },
      },
    },
    'server',
  );
  expect(bundled).toEqual([]);
  expect(binaries).toEqual({ 'p-linux-x64': '2.0.1' });
});

it('refuses packages that would differ: a missing one, or two in one place', () => {
  expect(() => dependenciesOf({ packages: { server: needs('a') } }, 'server')).toThrow(
    'server needs a, which the lockfile does not have',
  );
  const packages = {
    server: needs('a', 'b'),
    'server/node_modules/b': needs(),
    'node_modules/a': needs('b'),
    'node_modules/b': needs(),
  };
  expect(() => dependenciesOf({ packages }, 'server')).toThrow('would both be node_modules/b');
});
