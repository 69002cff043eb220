import { expect, it } from 'vitest';
import { findUrlProblem, ForbiddenAddress, isPublicAddress, postOutbound } from './outbound.ts';

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  'http://push.example/x',
  'ftp://push.example/x',
  'javascript:alert(1)',
  'push.example',
  'https://name:word@push.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://0x7f.1/',
  'https://2130706433/',
])('%s is refused before anything is asked', async (url) => {
  expect(findUrlProblem(url, false)).toEqual(expect.any(String));
  const post = { url, headers: {}, body: Buffer.of(), timeoutMs: 100, allowsPrivate: false };
  await expect(postOutbound(post)).rejects.toThrow(ForbiddenAddress);
});

it('a name that leads to this machine is refused when it is looked up', async () => {
  const post = {
    url: 'https://localhost:9/',
    headers: {},
    body: Buffer.of(),
    timeoutMs: 5000,
    allowsPrivate: false,
  };
  expect(findUrlProblem(post.url, false)).toBeUndefined();
  await expect(postOutbound(post)).rejects.toThrow('leads to a private network');
});
