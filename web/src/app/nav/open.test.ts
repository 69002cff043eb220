import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOpen, printOpen } from './open.ts';

test('what was open is open again; anything else is forgotten', () => {
  const open = { closedSections: new Set(['pinned']), openChannels: new Set([7, 9]) };
  expect(parseOpen(printOpen(open))).toEqual(open);
  expect(parseOpen('{"closed":[1,"a"],"open":["x",2.5,3]}')).toEqual({
    closedSections: new Set(['a']),
    openChannels: new Set([3]),
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => printOpen(parseOpen(text)) !== ''),
  );
});
