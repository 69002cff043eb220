import { expect, it } from 'vitest';
import { Chain, ZERO_HASH, chainHash } from './chain.ts';
import { eventText } from './events.ts';
import type { PublicEvent } from './events.ts';

const PHASE: PublicEvent = {
  time: '1760000000000',
  type: 'market_phase',
  symbol: 'btcusdt',
  phase: 'continuous',
};
const TEXT =
  '{"seq":"1","time":"1760000000000","type":"market_phase","symbol":"btcusdt","phase":"continuous"}';
const HASH = 'ea2e4db7e5b3676238a3673b8b253e3859048dfbb87cb62193087361bae0cbec';

it('the first event has the text and the hash that the documents give', () => {
  const chain = new Chain();
  expect(chain.append(PHASE)).toEqual({ seq: 1n, text: TEXT, hash: HASH });
  expect(chainHash(ZERO_HASH, TEXT)).toBe(HASH);
});

it('the next event hangs on the one before, also in a chain that was taken up again', () => {
  const chain = new Chain();
  chain.append(PHASE);
  const next = chain.append(PHASE);
  expect(next.text).toBe(TEXT.replace('"1"', '"2"'));
  expect(next.hash).toBe(chainHash(HASH, next.text));
  expect(new Chain(1n, HASH).append(PHASE)).toEqual(next);
  expect(() => new Chain(1n, 'abc')).toThrow('64 hexadecimal digits');
});

it('an event has exactly its members, and no value that would need escaping', () => {
  const secret = { ...PHASE, account: '7' } as PublicEvent;
  expect(eventText('1', secret)).toBe(TEXT);
  expect(() => eventText('1', { ...PHASE, symbol: 'a"b' })).toThrow('symbol is "a\\"b"');
});
