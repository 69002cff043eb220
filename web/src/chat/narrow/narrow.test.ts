import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  channelPath,
  directPath,
  messagePath,
  topicPath,
} from '../../../../server/src/chat/text/markdown/narrow-paths.ts';
import { parseNarrow as parseAtServer } from '../../../../server/src/chat/messages/narrow/terms.ts';
import { localeOf } from '../../i18n/locale.tsx';
import { textsFor } from '../../i18n/texts.ts';
import {
  allNarrow,
  channelNarrow,
  directNarrow,
  directsNarrow,
  fromMessage,
  mentionsNarrow,
  nearMessage,
  searchNarrow,
  senderNarrow,
  starredNarrow,
  toApiNarrow,
  topicNarrow,
  viewOf,
  withoutReader,
} from './narrow.ts';
import { parseNarrow } from './parse.ts';
import { printNarrow, type Names } from './print.ts';
import { OPERANDS, type Asked, type Narrow, type Term } from './terms.ts';
import { narrowTexts } from './texts.ts';
import { titleOf } from './title.ts';

const id = fc.nat({ max: 999_999_999_999_999 });
// Not blank: the server refuses a search for nothing.
const text = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((one) => one.isWellFormed() && one.trim() !== '');
const words = (operator: keyof typeof OPERANDS) =>
  fc
    .constantFrom(...(OPERANDS[operator] as readonly string[]))
    .map((operand) => ({ operator, operand }) as Asked);
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ operator: fc.constant('channel' as const), operand: fc.oneof(id, text) }),
  fc.record({
    operator: fc.constant('topic' as const),
    operand: fc.oneof(text, fc.constant('')),
  }),
  fc.oneof(
    fc.array(id, { minLength: 1, maxLength: 5 }).map((ids) => directNarrow(ids).terms[0] as Asked),
    text.map((operand) => ({ operator: 'dm' as const, operand })),
  ),
  fc.record({
    operator: fc.constantFrom('sender', 'dm-including', 'group-pm-with', 'mentions'),
    operand: fc.oneof(id, text),
  }),
  words('is'),
  words('has'),
  words('in'),
  words('channels'),
  fc.record({ operator: fc.constantFrom('id', 'with'), operand: id }),
  fc.record({ operator: fc.constant('search' as const), operand: text }),
);
const term: fc.Arbitrary<Term> = fc
  .tuple(asked, fc.boolean())
  .map(([one, negated]) => ({ operator: one.operator, operand: one.operand, negated }) as Term);
const narrow: fc.Arbitrary<Narrow> = fc
  .record({ terms: fc.array(term, { maxLength: 6 }), near: fc.option(id, { nil: undefined }) })
  .map(({ terms, near }) => (near === undefined ? { terms } : { terms, near }));
const names: fc.Arbitrary<Names> = fc
  .record({ channel: fc.option(text), person: fc.option(text) })
  .map(({ channel, person }) => ({
    channelName: () => channel ?? undefined,
    personName: () => person ?? undefined,
  }));

describe('an address of a narrow', () => {
  it('is read as the narrow that it was written from, whatever the names beside its ids', () => {
    fc.assert(
      fc.property(narrow, names, (one, called) => {
        expect(parseNarrow(printNarrow(one, called))).toEqual(one);
      }),
    );
  });

  it('has no character that a browser would change', () => {
    fc.assert(
      fc.property(narrow, names, (one, called) => {
        const address = printNarrow(one, called);
        expect(new URL(address, 'https://chat.example/').hash).toBe(address);
      }),
    );
  });

  it('is read without an exception, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (rest) => {
        const read = parseNarrow(`#narrow/${rest}`);
        if (read !== undefined) expect(parseNarrow(printNarrow(read))).toEqual(read);
      }),
    );
  });

  it('is the one that the server writes', () => {
    const called: Names = { channelName: () => 'R&D (labs) 100%', personName: () => undefined };
    const at = channelPath(10, 'R&D (labs) 100%');
    expect(`/${printNarrow(channelNarrow(10), called)}`).toBe(at);
    for (const name of ['a.b/c', '', 'علم و دانش', "it's *~!(x)", '100%']) {
      expect(`/${printNarrow(topicNarrow(10, name), called)}`).toBe(topicPath(at, name));
      expect(`/${printNarrow(topicNarrow(10, name, 214), called)}`).toBe(topicPath(at, name, 214));
      const place = { id: 7, channelId: 10, topic: name };
      expect(`/${printNarrow(fromMessage(place), called)}`).toBe(messagePath(at, name, 7));
    }
    for (const ids of [[1], [2, 1], [30, 4, 5]]) {
      expect(`/${printNarrow(directNarrow(ids))}`).toBe(directPath(ids));
    }
  });

  it('asks the server for what it says', () => {
    fc.assert(
      fc.property(term, (one) => {
        const [read] = parseAtServer(toApiNarrow({ terms: [one] }), 'chat.example');
        expect(read?.negated).toBe(one.negated);
      }),
    );
  });
});

describe('a view', () => {
  it('is known by its narrow', () => {
    expect(viewOf(channelNarrow(3))).toEqual({ kind: 'channel', channelId: 3 });
    expect(viewOf(nearMessage(topicNarrow(3, 'x', 9), 4))).toEqual({
      kind: 'topic',
      channelId: 3,
      topic: 'x',
    });
    expect(viewOf(directNarrow([5, 2, 5]))).toEqual({ kind: 'direct', userIds: [2, 5] });
    expect(
      [allNarrow(), mentionsNarrow(), starredNarrow(), directsNarrow()].map(
        (one) => viewOf(one).kind,
      ),
    ).toEqual(['all', 'mentions', 'starred', 'directs']);
    for (const hash of [
      'search/x',
      '-channel/3',
      'channel/x',
      'channel/3/topic/a/has/link',
      'channel/3/has/link',
      'topic/a',
      'is/unread',
      'is/unread/is/starred',
      'in/all',
      'dm/a.40b',
    ]) {
      expect(viewOf(parseNarrow(`#narrow/${hash}`) ?? allNarrow()).kind, hash).toBe('search');
    }
  });

  it('of a conversation leaves its reader out', () => {
    expect(withoutReader(directNarrow([1, 2]), 1)).toEqual(directNarrow([2]));
    expect(withoutReader(directNarrow([1]), 1)).toEqual(directNarrow([1]));
    expect(withoutReader(channelNarrow(1), 1)).toEqual(channelNarrow(1));
  });

  it('has a title in both languages, with isolated names', () => {
    const called: Names = {
      channelName: (one) => (one === 3 ? 'btcusdt' : undefined),
      personName: (one) => (one === 1 ? 'سارا' : undefined),
    };
    const plain = (one: Narrow, language: 'en' | 'fa') =>
      titleOf(one, called, textsFor(narrowTexts, localeOf(language))).replaceAll(
        /[\u2068\u2069]/g,
        '',
      );
    expect(plain(channelNarrow(3), 'en')).toBe('#btcusdt');
    expect(plain(topicNarrow(3, ''), 'en')).toBe('#btcusdt > general chat');
    expect(plain(topicNarrow(4, 'x'), 'fa')).toBe('#کانال ناشناخته > x');
    expect(plain(directNarrow([1, 2]), 'en')).toBe('سارا, Unknown person');
    expect(plain(directNarrow([1, 2]), 'fa')).toBe('سارا، فرد ناشناخته');
    expect(plain(mentionsNarrow(), 'fa')).toBe('اشاره‌ها به شما');
    expect(plain(searchNarrow('wall'), 'en')).toBe('Search: wall');
    expect(plain(senderNarrow(1), 'en')).toBe('Messages from سارا');
    expect(plain({ terms: [] }, 'en')).toBe('Combined feed');
    expect(plain(parseNarrow('#narrow/-search/x') ?? allNarrow(), 'en')).toBe('Search results');
    expect(titleOf(channelNarrow(3), called, textsFor(narrowTexts, localeOf('en')))).toBe(
      '#\u2068btcusdt\u2069',
    );
  });
});
