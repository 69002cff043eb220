// Checks what may be added to a widget: votes, options, tasks. Pure. The caller checks who may see the message, and
// that its author's submessage comes first.
import type { Widget } from './parse.ts';

/** Options and tasks are numbered from 0 by each sender; larger numbers are refused. */
const MAX_INDEX = 1_000;
const TITLE_MAX = 10_000;

/** The API's error text; undefined if the submessage can be stored. */
export type SubmessageProblem = string | undefined;

export interface Speaker {
  /** Whether the sender of the submessage wrote the message. */
  readonly isAuthor: boolean;
}

/** Parses a submessage's JSON; undefined if it is invalid, which the caller refuses. */
export function parseSubmessage(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}

export function findSubmessageProblem(
  type: Widget['widget_type'],
  content: string,
  speaker: Speaker,
): SubmessageProblem {
  const data = parseSubmessage(content);
  if (data === undefined) return 'Invalid json for submessage';
  if (!isObject(data)) return 'data is not a dict';
  return type === 'poll' ? findPollProblem(data, speaker) : findTodoProblem(data, speaker);
}

type Data = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key of a poll's option: `canned,0` for one of the message, `12,3` for option 3 of user 12. */
const POLL_KEY = /^(?:canned|\d{1,15}),(\d{1,4})$/;

function findPollProblem(data: Data, { isAuthor }: Speaker): SubmessageProblem {
  switch (data['type']) {
    case 'new_option':
      return exact(data, { idx: isIndex, option: isText });
    case 'question':
      if (!isAuthor) return "You can't edit a question unless you are the author.";
      return exact(data, { question: isText });
    case 'vote':
      return exact(data, { key: isPollKey, vote: isVote });
    default:
      return unknownType('poll', data);
  }
}

function findTodoProblem(data: Data, { isAuthor }: Speaker): SubmessageProblem {
  switch (data['type']) {
    case 'new_task':
      return exact(data, { key: isIndex, task: isText, desc: isText, completed: isBoolean });
    case 'strike':
      return exact(data, { key: isText });
    case 'new_task_list_title':
      if (!isAuthor) return "You can't edit the task list title unless you are the author.";
      return exact(data, { title: isText });
    default:
      return unknownType('todo list', data);
  }
}

type Check = (name: string, value: unknown) => SubmessageProblem;

/** Checks that every key is there with a valid value. Further keys are kept, because clients may send more. */
function exact(data: Data, checks: Readonly<Record<string, Check>>): SubmessageProblem {
  for (const [name, check] of Object.entries(checks)) {
    if (!Object.hasOwn(data, name)) return `${name} key is missing from data`;
    const problem = check(`data["${name}"]`, data[name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const isIndex: Check = (name, value) => {
  if (!Number.isInteger(value)) return `${name} is not an integer`;
  if (Number(value) < 0) return `${name} is too small`;
  return Number(value) > MAX_INDEX ? `${name} is too large (max ${MAX_INDEX})` : undefined;
};

const isText: Check = (name, value) => {
  if (typeof value !== 'string') return `${name} is not a string`;
  return value.length > TITLE_MAX
    ? `${name} is too long (limit: ${TITLE_MAX} characters)`
    : undefined;
};

const isBoolean: Check = (name, value) =>
  typeof value === 'boolean' ? undefined : `${name} is not a boolean`;

const isVote: Check = (name, value) =>
  value === 1 || value === -1 ? undefined : `Invalid ${name}`;

const isPollKey: Check = (name, value) => {
  if (typeof value !== 'string') return `${name} is not a string`;
  const index = POLL_KEY.exec(value)?.[1];
  return index === undefined || Number(index) > MAX_INDEX ? `Invalid ${name}` : undefined;
};

const unknownType = (what: string, data: Data): SubmessageProblem =>
  typeof data['type'] === 'string'
    ? `Unknown type for ${what} data: ${data['type'].slice(0, 100)}`
    : 'data["type"] is not a string';
