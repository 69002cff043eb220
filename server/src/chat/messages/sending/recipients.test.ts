import { describe, expect, it } from 'vitest';
import { parseAddressee } from './recipients.ts';

describe('the recipient of a channel message', () => {
  it.each([
    ['general', 'general'],
    ['"general"', 'general'],
    ['7', 7],
    ['[7]', 7],
    ['["general"]', 'general'],
    ['گفتگو', 'گفتگو'],
    ['true', 'true'],
    ['a, b', 'a, b'],
  ])('%s', (to, channel) => {
    expect(parseAddressee('channel', to)).toEqual({ kind: 'channel', channel });
    expect(parseAddressee('stream', to)).toEqual({ kind: 'channel', channel });
  });

  it.each([
    [undefined, 'Missing channel'],
    ['', 'Missing channel'],
    ['[]', 'Expected exactly one channel'],
    ['[1,2]', 'Cannot send to multiple channels'],
    ['[null]', 'Invalid data type for channel'],
    ['{}', 'Invalid data type for channel'],
  ])('%s is refused', (to, message) => {
    expect(() => parseAddressee('stream', to)).toThrow(message);
  });
});

describe('the recipients of a direct message', () => {
  it.each([
    ['[3,4,3]', { userIds: [3, 4] }],
    ['3', { userIds: [3] }],
    ['["a@x.org","b@x.org"]', { emails: ['a@x.org', 'b@x.org'] }],
    ['a@x.org, b@x.org', { emails: ['a@x.org', 'b@x.org'] }],
    ['"a@x.org"', { emails: ['a@x.org'] }],
    ['a@x.org', { emails: ['a@x.org'] }],
  ])('%s', (to, expected) => {
    expect(parseAddressee('private', to)).toEqual({ kind: 'direct', ...expected });
    expect(parseAddressee('direct', to)).toEqual({ kind: 'direct', ...expected });
  });

  it.each([
    [undefined, 'Message must have recipients'],
    ['', 'Message must have recipients'],
    ['[]', 'Message must have recipients'],
    [',', 'Message must have recipients'],
    ['[1,"a@x.org"]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['[1.5]', 'Invalid data type for recipients'],
    ['[[1]]', 'Invalid data type for recipients'],
    ['{}', 'Invalid data type for recipients'],
    [JSON.stringify(Array.from({ length: 501 }, (_, id) => id)), 'more than 500'],
  ])('%s is refused', (to, message) => {
    expect(() => parseAddressee('direct', to)).toThrow(message);
  });
});
