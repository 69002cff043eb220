import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWidget } from '../../../../../server/src/chat/messages/widgets/parse.ts';
import { findSubmessageProblem } from '../../../../../server/src/chat/messages/widgets/submessages.ts';
import {
  newOptionOf,
  newTaskOf,
  nextIndex,
  readWidget,
  strikeOf,
  voteOf,
  type Submessage,
} from './read.ts';

const AUTHOR = 1;
const from = (text: string, ...acts: readonly [number, string][]): Submessage[] =>
  [[AUTHOR, JSON.stringify(parseWidget(text))] as const, ...acts].map(
    ([senderId, content], index) => ({ id: index + 1, senderId, type: 'widget', content }),
  );

describe('a poll', () => {
  const poll = (...acts: readonly [number, string][]) =>
    readWidget(from('/poll Where?\nRoof\nBar\nRoof', ...acts), AUTHOR);

  it('has the options of its message once each, and those that people added', () => {
    expect(poll([2, newOptionOf(1, 'Park')], [3, newOptionOf(1, 'Bar')])).toEqual({
      kind: 'poll',
      question: 'Where?',
      options: [
        { key: 'canned,0', text: 'Roof', voterIds: [] },
        { key: 'canned,1', text: 'Bar', voterIds: [] },
        { key: '2,1', text: 'Park', voterIds: [] },
      ],
    });
  });

  it('counts each person once, until the vote is taken back', () => {
    const votes = poll(
      [2, voteOf('canned,0', true)],
      [2, voteOf('canned,0', true)],
      [3, voteOf('canned,0', true)],
      [3, voteOf('canned,0', false)],
      [3, voteOf('nowhere', true)],
    );
    expect(votes).toMatchObject({ options: [{ voterIds: [2] }, { voterIds: [] }] });
  });

  it('lets its author alone change the question', () => {
    const question = (text: string) => JSON.stringify({ type: 'question', question: text });
    expect(poll([2, question('Mine')])).toMatchObject({ question: 'Where?' });
    expect(poll([AUTHOR, question('When?')])).toMatchObject({ question: 'When?' });
  });
});

describe('a list of tasks', () => {
  it('has tasks that anybody may add, do and undo', () => {
    const list = readWidget(
      from(
        '/todo Launch\nTest: all of it\nShip',
        [2, newTaskOf(1, 'Sleep')],
        [3, strikeOf('0,canned')],
        [3, strikeOf('1,2')],
        [2, strikeOf('1,2')],
      ),
      AUTHOR,
    );
    expect(list).toEqual({
      kind: 'todo',
      title: 'Launch',
      tasks: [
        { key: '0,canned', text: 'Test', description: 'all of it', isDone: true },
        { key: '1,canned', text: 'Ship', description: '', isDone: false },
        { key: '1,2', text: 'Sleep', description: '', isDone: false },
      ],
    });
  });
});

describe('a widget', () => {
  it('is what the author of the message made, or none', () => {
    const [first] = from('/poll x');
    expect(readWidget([], AUTHOR)).toBeUndefined();
    expect(first && readWidget([{ ...first, senderId: 9 }], AUTHOR)).toBeUndefined();
    expect(
      first &&
        readWidget([{ ...first, content: '{"widget_type":"game","extra_data":{}}' }], AUTHOR),
    ).toBeUndefined();
    expect(first && readWidget([{ ...first, content: 'no' }], AUTHOR)).toBeUndefined();
  });

  it('is read without an exception, whatever people sent', () => {
    const act = fc.tuple(fc.constantFrom(1, 2), fc.oneof(fc.json(), fc.string()));
    fc.assert(
      fc.property(fc.constantFrom('/poll q\na', '/todo t\na'), fc.array(act), (text, acts) => {
        expect(readWidget(from(text, ...acts), AUTHOR)).toBeDefined();
      }),
    );
  });

  it('sends what the server takes', () => {
    const speaker = { isAuthor: false };
    expect(findSubmessageProblem('poll', voteOf('canned,0', true), speaker)).toBeUndefined();
    expect(findSubmessageProblem('poll', newOptionOf(1, 'x'), speaker)).toBeUndefined();
    expect(findSubmessageProblem('todo', strikeOf('0,canned'), speaker)).toBeUndefined();
    expect(findSubmessageProblem('todo', newTaskOf(1, 'x'), speaker)).toBeUndefined();
  });

  it('numbers what a person adds', () => {
    expect(nextIndex(['canned,0', '5,3', '6,9'], 5)).toBe(4);
    expect(nextIndex(['0,canned', '3,5'], 5)).toBe(4);
    expect(nextIndex([], 5)).toBe(1);
  });
});
