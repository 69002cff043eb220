import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/http/refusal.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { parsePage, toPage, type ListName, type PageParams } from './pages.ts';

const secrets = createSecrets('5f'.repeat(32));
const name: ListName = { list: 'orders', accountId: 7n, filters: { symbol: 'btcusdt' } };

interface Row {
  ms: bigint;
  id: bigint;
}
const row: Row = { ms: 1_760_000_000_000n, id: 12n };
const pageOf = (params: PageParams, rows: readonly Row[], of: ListName = name) =>
  toPage(secrets, of, parsePage(secrets, of, params), rows, {
    positionOf: (one) => one,
    print: (one) => String(one.id),
  });
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

describe('pages', () => {
  it('have a cursor only while more follows', () => {
    expect(pageOf({ limit: 2 }, [row, row])).toEqual({ items: ['12', '12'], nextCursor: '' });
    const { items, nextCursor } = pageOf({ limit: 2 }, [row, row, row]);
    expect(items).toHaveLength(2);
    expect(nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(parsePage(secrets, name, { cursor: nextCursor })).toMatchObject({
      sort: 'desc',
      limit: 100,
      after: row,
    });
  });

  it('are newest first, and oldest first from a time or an id; a cursor keeps its direction', () => {
    const sortOf = (params: PageParams, isForward = false) =>
      parsePage(secrets, name, params, isForward).sort;
    expect(sortOf({})).toBe('desc');
    expect(sortOf({ to: 5 })).toBe('desc');
    expect(sortOf({ from: 5 })).toBe('asc');
    expect(sortOf({ from: 5, sort: 'desc' })).toBe('desc');
    expect(sortOf({}, true)).toBe('asc');
    const { nextCursor: cursor } = pageOf({ sort: 'asc', limit: 1 }, [row, row]);
    expect(sortOf({ cursor })).toBe('asc');
    expect(codeOf(() => sortOf({ cursor, sort: 'desc' }))).toBe('2011');
  });

  it('a cursor of another account, list, filter or range is refused', () => {
    const params = { from: 5, to: 9, limit: 1 };
    const { nextCursor: cursor } = pageOf(params, [row, row]);
    const parse = (of: Partial<ListName>, changes: PageParams = {}) =>
      codeOf(() => parsePage(secrets, { ...name, ...of }, { ...params, cursor, ...changes }));
    expect(parse({})).toBe('');
    expect(parse({}, { limit: 500 })).toBe('');
    expect(parse({ accountId: 8n })).toBe('2011');
    expect(parse({ list: 'trades' })).toBe('2011');
    expect(parse({ filters: {} })).toBe('2011');
    expect(parse({ filters: { symbol: 'ethusdt' } })).toBe('2011');
    expect(parse({}, { from: 6 })).toBe('2011');
    expect(parse({}, { to: undefined })).toBe('2011');
    const others = createSecrets('60'.repeat(32));
    expect(codeOf(() => parsePage(others, name, { ...params, cursor }))).toBe('2011');
  });

  it('a changed or invented cursor is refused, never followed', () => {
    const { nextCursor } = pageOf({ limit: 1 }, [row, row]);
    const parse = (cursor: string) => codeOf(() => parsePage(secrets, name, { cursor }));
    fc.assert(
      fc.property(fc.nat({ max: nextCursor.length - 1 }), fc.base64String(), (at, text) => {
        const other = nextCursor[at] === 'A' ? 'B' : 'A';
        const changed = nextCursor.slice(0, at) + other + nextCursor.slice(at + 1);
        // The last character of the text may carry bits that belong to no byte.
        const isSame = Buffer.from(changed, 'base64url').equals(
          Buffer.from(nextCursor, 'base64url'),
        );
        expect(parse(changed)).toBe(isSame ? '' : '2011');
        expect(parse(text)).toBe('2011');
      }),
    );
    expect(parse('')).toBe('2011');
  });
});
