import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../platform/http/refusal.ts';
import { parseNarrow } from './terms.ts';

const term = (operator: string, operand: unknown, negated?: boolean) =>
  negated === undefined ? { operator, operand } : { operator, operand, negated };

describe('a narrow', () => {
  it.each([
    [term('channel', 'general'), { operator: 'channel', channel: 'general' }],
    [term('stream', 7), { operator: 'channel', channel: 7 }],
    [['stream', 'general'], { operator: 'channel', channel: 'general' }],
    [term('channels', 'public'), { operator: 'channels', which: 'public' }],
    [term('streams', 'web-public'), { operator: 'channels', which: 'web-public' }],
    [term('topic', ' lunch '), { operator: 'topic', topic: 'lunch' }],
    [term('topic', 'general chat'), { operator: 'topic', topic: '' }],
    [term('topic', '(no topic)'), { operator: 'topic', topic: '' }],
    [term('sender', 'a@x.org'), { operator: 'sender', user: 'a@x.org' }],
    [term('sender', 12), { operator: 'sender', user: 12 }],
    [term('dm', [3, 4]), { operator: 'dm', users: [3, 4], written: '[3,4]' }],
    [['pm-with', 'a@x, b@x'], { operator: 'dm', users: ['a@x', 'b@x'], written: 'a@x, b@x' }],
    [term('dm-including', 5), { operator: 'dm-including', user: 5 }],
    [term('group-pm-with', 'a@x'), { operator: 'group-dm-including', user: 'a@x' }],
    [term('mentions', 5), { operator: 'mentions', user: 5 }],
    [['is', 'private'], { operator: 'is', what: 'dm' }],
    [term('is', 'muted'), { operator: 'is', what: 'muted' }],
    [term('has', 'images'), { operator: 'has', what: 'image' }],
    [term('in', 'home'), { operator: 'in', where: 'home' }],
    [term('id', '17'), { operator: 'id', id: 17 }],
    [term('id', 17), { operator: 'id', id: 17 }],
    [term('with', '17'), { operator: 'with', id: 17 }],
    [term('near', 17), { operator: 'near' }],
    [term('search', ' two words '), { operator: 'search', text: 'two words' }],
  ])('%j is parsed', (written, expected) => {
    expect(parseNarrow([written], 'chat.example')).toEqual([{ ...expected, negated: false }]);
  });

  it('may be negated, each term for itself', () => {
    expect(
      parseNarrow([term('is', 'dm', true), term('is', 'unread', false)], 'chat.example'),
    ).toMatchObject([
      { what: 'dm', negated: true },
      { what: 'unread', negated: false },
    ]);
  });

  it.each([
    [{ operand: 'x' }, 'Invalid narrow[0]: Value error, operator is missing'],
    [{ operator: 'is' }, 'Invalid narrow[0]: Value error, operand is missing'],
    [5, 'Invalid narrow[0]: Value error, dict or list required'],
    [null, 'Invalid narrow[0]: Value error, dict or list required'],
    [['is'], 'Invalid narrow[0]: Value error, element is not a string pair'],
    [['stream', 5], 'Invalid narrow[0]: Value error, element is not a string pair'],
    [term('channel', [1]), 'operand is not a string or integer'],
    [term('sender', true), 'operand is not a string or integer'],
    [term('topic', 5), 'operand is not a string'],
    [term('dm', ['a@x']), 'operand is not a string or an integer list'],
    [term('search', ' '), 'operand cannot be blank.'],
    [term('search', 'x'.repeat(1001)), 'operand is too long (limit: 1000 characters)'],
  ])('%j is refused as malformed', (written, message) => {
    expect(() => parseNarrow([written], 'chat.example')).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message }) as Error,
    );
  });

  it.each([
    [term('colour', 'red'), 'unknown operator colour'],
    [term('is', 'nice'), "unknown 'is' operand nice"],
    [term('has', 'time'), "unknown 'has' operand time"],
    [term('in', 'out'), "unknown 'in' operand out"],
    [term('channels', 'all'), "unknown 'channels' operand all"],
    [term('id', 'x'), 'Invalid message ID'],
    [term('with', -1), "Invalid 'with' operator"],
  ])('%j is refused as a bad narrow', (written, description) => {
    expect(() => parseNarrow([written], 'chat.example')).toThrow(
      expect.objectContaining({
        code: 'BAD_NARROW',
        message: `Invalid narrow operator: ${description}`,
        fields: { desc: description },
      }) as Error,
    );
  });

  it('cannot ask for a channel and a direct message at once, but may exclude either', () => {
    const channel = term('channel', 1);
    expect(() => parseNarrow([channel, term('is', 'dm')], 'chat.example')).toThrow(
      'both a channel message',
    );
    expect(() => parseNarrow([channel, term('dm', [2])], 'chat.example')).toThrow(
      'both a channel message',
    );
    expect(parseNarrow([channel, term('is', 'dm', true)], 'chat.example')).toHaveLength(2);
  });

  it("has at most one 'with'", () => {
    expect(() => parseNarrow([term('with', 1), term('with', 2)], 'chat.example')).toThrow(
      "Invalid narrow operator combination: Duplicate 'with' operators.",
    );
  });

  it('is parsed or refused, for any input', () => {
    const operators = ['channel', 'topic', 'dm', 'is', 'has', 'id', 'with', 'search', 'near', 'x'];
    const written = fc.oneof(
      fc.jsonValue(),
      fc.record({ operator: fc.constantFrom(...operators), operand: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(written, { maxLength: 3 }), (narrow) => {
        try {
          return parseNarrow(narrow, 'chat.example').length === narrow.length;
        } catch (error) {
          return error instanceof Refusal && error.status === 400;
        }
      }),
    );
  });
});
