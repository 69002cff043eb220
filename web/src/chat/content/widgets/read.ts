// Polls, lists of tasks and forms of bots. The first submessage says what it is; the others are what people did since.
// Whatever does not fit is left out, as every client does.

export interface Submessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON. */
  readonly content: string;
}

export interface PollOption {
  readonly key: string;
  readonly text: string;
  readonly voterIds: readonly number[];
}

export interface Task {
  readonly key: string;
  readonly text: string;
  readonly description: string;
  readonly isDone: boolean;
}

export interface Choice {
  readonly name: string;
  readonly text: string;
  /** What a person who chooses it sends. */
  readonly reply: string;
}

export type Widget =
  | { readonly kind: 'poll'; readonly question: string; readonly options: readonly PollOption[] }
  | { readonly kind: 'todo'; readonly title: string; readonly tasks: readonly Task[] }
  | { readonly kind: 'form'; readonly heading: string; readonly choices: readonly Choice[] };

/** Options and tasks of one sender are numbered; the server refuses larger numbers. */
const INDEX_MAX = 1000;
const ITEMS_MAX = 1000;

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isIndex = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= INDEX_MAX;

function parse(content: string): Data | undefined {
  try {
    const data: unknown = JSON.parse(content);
    return isObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if the message has no widget, or one that we do not know. */
export function readWidget(
  submessages: readonly Submessage[],
  authorId: number,
): Widget | undefined {
  const [first, ...rest] = submessages
    .filter(({ type }) => type === 'widget')
    .sort((left, right) => left.id - right.id);
  const data = first && parse(first.content);
  if (first?.senderId !== authorId || data === undefined || !isObject(data['extra_data'])) {
    return undefined;
  }
  const extra = data['extra_data'];
  const acts = rest.flatMap(({ senderId, content }) => {
    const act = parse(content);
    return act === undefined ? [] : [{ senderId, act }];
  });
  switch (data['widget_type']) {
    case 'poll':
      return readPoll(extra, acts, authorId);
    case 'todo':
      return readTodo(extra, acts, authorId);
    case 'zform':
      return readForm(extra);
    default:
      return undefined;
  }
}

interface Act {
  readonly senderId: number;
  readonly act: Data;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function readPoll(extra: Data, acts: readonly Act[], authorId: number): Widget {
  let question = isText(extra['question']) ? extra['question'] : '';
  const options = new Map<string, { text: string; voters: Set<number> }>();
  const add = (key: string, text: unknown) => {
    if (!isText(text) || options.size >= ITEMS_MAX) return;
    if ([...options.values()].some((one) => one.text === text)) return;
    options.set(key, { text, voters: new Set() });
  };
  for (const [index, text] of list(extra['options']).entries()) add(`canned,${index}`, text);
  for (const { senderId, act } of acts) {
    const { type, idx, option, key, vote } = act;
    if (type === 'question' && senderId === authorId && isText(act['question'])) {
      question = act['question'];
    } else if (type === 'new_option' && isIndex(idx)) add(`${senderId},${idx}`, option);
    else if (type === 'vote' && isText(key)) {
      if (vote === 1) options.get(key)?.voters.add(senderId);
      else if (vote === -1) options.get(key)?.voters.delete(senderId);
    }
  }
  return {
    kind: 'poll',
    question,
    options: [...options].map(([key, { text, voters }]) => ({ key, text, voterIds: [...voters] })),
  };
}

function readTodo(extra: Data, acts: readonly Act[], authorId: number): Widget {
  let title = isText(extra['task_list_title']) ? extra['task_list_title'] : '';
  const tasks = new Map<string, Task>();
  const add = (key: string, data: Data) => {
    const { task: text, desc, completed } = data;
    if (!isText(text) || tasks.size >= ITEMS_MAX) return;
    if ([...tasks.values()].some((one) => one.text === text)) return;
    const description = isText(desc) ? desc : '';
    tasks.set(key, { key, text, description, isDone: completed === true });
  };
  for (const [index, task] of list(extra['tasks']).entries()) {
    if (isObject(task)) add(`${index},canned`, task);
  }
  for (const { senderId, act } of acts) {
    const { type, key } = act;
    if (type === 'new_task_list_title' && senderId === authorId && isText(act['title'])) {
      title = act['title'];
    } else if (type === 'new_task' && isIndex(key)) add(`${key},${senderId}`, act);
    else if (type === 'strike' && isText(key)) {
      const task = tasks.get(key);
      if (task !== undefined) tasks.set(key, { ...task, isDone: !task.isDone });
    }
  }
  return { kind: 'todo', title, tasks: [...tasks.values()] };
}

function readForm(extra: Data): Widget | undefined {
  if (extra['type'] !== 'choices' || !isText(extra['heading'])) return undefined;
  const choices = list(extra['choices']).flatMap((one): readonly Choice[] => {
    if (!isObject(one)) return [];
    const { short_name: name, long_name: text, reply } = one;
    return isText(name) && isText(text) && isText(reply) ? [{ name, text, reply }] : [];
  });
  return { kind: 'form', heading: extra['heading'], choices: choices.slice(0, ITEMS_MAX) };
}

/** The number that a person's next option or task gets: its key must not be taken yet. */
export function nextIndex(keys: readonly string[], personId: number): number {
  const own = keys.flatMap((key) => {
    const [left, right] = key.split(',');
    if (left === String(personId)) return [Number(right)];
    return right === String(personId) ? [Number(left)] : [];
  });
  return Math.min(INDEX_MAX, Math.max(0, ...own) + 1);
}

export const voteOf = (key: string, isFor: boolean): string =>
  JSON.stringify({ type: 'vote', key, vote: isFor ? 1 : -1 });
export const newOptionOf = (index: number, text: string): string =>
  JSON.stringify({ type: 'new_option', idx: index, option: text });
export const strikeOf = (key: string): string => JSON.stringify({ type: 'strike', key });
export const newTaskOf = (index: number, text: string): string =>
  JSON.stringify({ type: 'new_task', key: index, task: text, desc: '', completed: false });
