import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWidget } from './parse.ts';
import { findSubmessageProblem } from './submessages.ts';

describe('widgets', () => {
  it('a poll has a question and options, with or without bullets', () => {
    expect(parseWidget('/poll Lunch?\npizza\n- soup\n* salad\n\n')).toEqual({
      widget_type: 'poll',
      extra_data: { question: 'Lunch?', options: ['pizza', 'soup', 'salad'] },
    });
    expect(parseWidget('/poll')).toEqual({
      widget_type: 'poll',
      extra_data: { question: '', options: [] },
    });
  });

  it('a to-do list has a title and tasks, each with an optional description', () => {
    expect(parseWidget('/todo Trip\nbook: the train: today\n- pack')).toEqual({
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Trip',
        tasks: [
          { task: 'book', desc: 'the train: today' },
          { task: 'pack', desc: '' },
        ],
      },
    });
  });

  it.each(['/polls x', ' /poll x', 'x\n/poll y', '/pollx', '/me polls', ''])(
    '%j is an ordinary message',
    (content) => expect(parseWidget(content)).toBeUndefined(),
  );
});

describe('submessages', () => {
  const problem = (type: 'poll' | 'todo', data: unknown, isAuthor = false) =>
    findSubmessageProblem(type, typeof data === 'string' ? data : JSON.stringify(data), {
      isAuthor,
    });

  it.each([
    ['poll', { type: 'new_option', idx: 0, option: 'x' }],
    ['poll', { type: 'new_option', idx: 1000, option: 'x' }],
    ['poll', { type: 'vote', key: 'canned,0', vote: 1 }],
    ['poll', { type: 'vote', key: '12,3', vote: -1 }],
    ['todo', { type: 'new_task', key: 1, task: 'x', desc: '', completed: false }],
    ['todo', { type: 'strike', key: '0,canned' }],
  ] as const)('%s takes %j', (type, data) => expect(problem(type, data)).toBeUndefined());

  it.each([
    ['poll', 'not json', 'Invalid json for submessage'],
    ['poll', '[]', 'data is not a dict'],
    ['poll', 'null', 'data is not a dict'],
    ['poll', {}, 'data["type"] is not a string'],
    ['poll', { type: 'x' }, 'Unknown type for poll data: x'],
    ['todo', { type: 'vote' }, 'Unknown type for todo list data: vote'],
    ['poll', { type: 'new_option', idx: 1 }, 'option key is missing from data'],
    ['poll', { type: 'new_option', idx: 1001, option: 'x' }, 'data["idx"] is too large (max 1000)'],
    ['poll', { type: 'new_option', idx: -1, option: 'x' }, 'data["idx"] is too small'],
    ['poll', { type: 'new_option', idx: '1', option: 'x' }, 'data["idx"] is not an integer'],
    ['poll', { type: 'new_option', idx: 1, option: 2 }, 'data["option"] is not a string'],
    ['poll', { type: 'vote', key: 'x', vote: 1 }, 'Invalid data["key"]'],
    ['poll', { type: 'vote', key: 'canned,1001', vote: 1 }, 'Invalid data["key"]'],
    ['poll', { type: 'vote', key: 'canned,1', vote: 2 }, 'Invalid data["vote"]'],
    [
      'todo',
      { type: 'new_task', key: 1, task: 'x', desc: '', completed: 1 },
      'data["completed"] is not a boolean',
    ],
  ] as const)('%s refuses %j: %s', (type, data, message) =>
    expect(problem(type, data)).toBe(message),
  );

  it('only the author changes the question or the title', () => {
    const question = { type: 'question', question: 'x' };
    const title = { type: 'new_task_list_title', title: 'x' };
    expect(problem('poll', question)).toBe("You can't edit a question unless you are the author.");
    expect(problem('poll', question, true)).toBeUndefined();
    expect(problem('todo', title)).toMatch(/unless you are the author/);
    expect(problem('todo', title, true)).toBeUndefined();
  });

  it('the check accepts or refuses any content without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.boolean(), (content, isAuthor) => {
        const found = findSubmessageProblem('poll', content, { isAuthor });
        expect(found === undefined || found.length > 0).toBe(true);
      }),
    );
  });
});
