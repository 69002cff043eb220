import { describe, expect, it } from 'vitest';
import { findNearest } from './nearest.ts';

describe('the nearest word', () => {
  const FLAGS = ['json', 'port', 'cluster', 'fresh', 'help'];

  it.each([
    ['prot', 'port'],
    ['por', 'port'],
    ['ports', 'port'],
    ['PORT', 'port'],
    ['clutser', 'cluster'],
    ['clustr', 'cluster'],
    ['hlep', 'help'],
  ])('of "%s" is "%s"', (word, meant) => expect(findNearest(word, FLAGS)).toBe(meant));

  it.each(['verbose', '', 'x', 'p'.repeat(100_000)])(
    'is none where all are too different',
    (word) => expect(findNearest(word, FLAGS)).toBeUndefined(),
  );

  it('is the one that differs least', () => {
    expect(findNearest('markets', ['market', 'marks', 'marketing'])).toBe('market');
    expect(findNearest('anything', [])).toBeUndefined();
  });

  const MARKETS = ['btcirt', 'btcusdt', 'ethusdt', 'ltcirt', 'usdtirt'];

  it.each([
    ['btcusd', 'btcusdt'],
    ['btc-usdt', 'btcusdt'],
    ['btc/irt', 'btcirt'],
    ['tbcusdt', 'btcusdt'],
  ])('of the symbol %s is %s', (written, meant) => {
    expect(findNearest(written, MARKETS)).toBe(meant);
  });

  it('of equally similar ones is the first, so that the answer is stable', () => {
    expect(findNearest('xtcirt', MARKETS)).toBe('btcirt');
    expect(findNearest('btcxyz', MARKETS)).toBeUndefined();
  });
});
