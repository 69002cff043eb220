// One page for each code that either API can answer with. Every error answer links to its page.
import { ERRORS, findError, OPERATOR_ERRORS, type ErrorEntry } from '../../trading/http/errors.ts';
import type { Page, PageSource } from '../site/page.ts';
import { CHAT_ERRORS, type ChatError } from './errors/chat.ts';
import { TRADING_ERRORS } from './errors/trading.ts';
import { blocks, code, json, table } from './markdown.ts';
import { readRecording, type Recorded, type Recording } from './recorded.ts';

const GROUPS: Readonly<Record<string, string>> = {
  '1': 'Service',
  '2': 'Parameters',
  '3': 'Credentials',
  '4': 'Orders',
  '5': 'Money',
  '6': 'Limits',
  '7': 'Accounts and keys',
  '9': 'Operators',
};
const CHAT_GROUP = 'Chat';

export const errorNameOf = (number: string): string => findError(number)?.name ?? number;

export const listErrorPages: PageSource = (input) => {
  const trading = readRecording('trading', input);
  const chat = readRecording('chat', input);
  const entries = [...ERRORS, ...OPERATOR_ERRORS];
  const chatCodes = Object.entries(CHAT_ERRORS).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    overview(entries, chatCodes),
    ...entries.map((entry) => tradingPage(entry, trading)),
    ...chatCodes.map(([name, entry], index) => chatPage(name, entry, index, chat)),
  ];
};

const groupOfCode = (number: string): string => GROUPS[number.charAt(0)] ?? 'Others';

function tradingPage(entry: ErrorEntry, { refusals }: Recording): Page {
  const { code: number, name, status, when } = entry;
  const { cause, cure } = TRADING_ERRORS[name];
  return {
    path: `errors/${number}`,
    language: 'en',
    title: `${number} ${name}`,
    section: 'errors',
    group: groupOfCode(number),
    order: Number(number),
    description: when,
    markdown: blocks(
      when,
      `Trading API, HTTP status ${status}.`,
      `## Cause\n\n${cause}`,
      `## Cure\n\n${cure}`,
      '## Example',
      recordedOr(refusals[number], {
        status: 'false',
        serverTime: '1760000000000',
        result: null,
        error: { code: number, name, message: when.replaceAll('`', ''), details: {} },
      }),
    ),
    keywords: [number, name],
  };
}

function chatPage(
  name: string,
  { statuses, when, cause, cure }: ChatError,
  index: number,
  { refusals }: Recording,
): Page {
  return {
    path: `errors/${name}`,
    language: 'en',
    title: name,
    section: 'errors',
    group: CHAT_GROUP,
    order: 10_000 + index,
    description: when,
    markdown: blocks(
      when,
      `Chat API, HTTP status ${statuses.join(', ')}.`,
      `## Cause\n\n${cause}`,
      `## Cure\n\n${cure}`,
      '## Example',
      recordedOr(refusals[name], { result: 'error', msg: when.replaceAll('`', ''), code: name }),
    ),
    keywords: [name],
  };
}

function recordedOr(
  recorded: (Recorded & { readonly operation: string }) | undefined,
  form: unknown,
): string {
  if (recorded === undefined) {
    return blocks(
      json(form, 'Answer'),
      'This is the form of the answer; `message` or `msg` may say more.',
    );
  }
  return blocks(
    `${code(recorded.operation)} was called with ${code(JSON.stringify(recorded.params))}.`,
    json(recorded.answer, 'Recorded answer'),
  );
}

function overview(
  entries: readonly ErrorEntry[],
  chatCodes: readonly (readonly [string, ChatError])[],
): Page {
  const groups = Map.groupBy(entries, ({ code: number }) => groupOfCode(number));
  return {
    path: 'errors',
    language: 'en',
    title: 'Errors',
    section: 'errors',
    order: 0,
    description: 'Every error of both APIs, with its cause and its cure.',
    markdown: blocks(
      'Every error answer has the header `Link: </docs/errors/CODE/>; rel="help"`, which leads to its entry here. A code keeps its meaning for ever; the message is for people and may change.',
      ...[...groups].map(([group, those]) =>
        blocks(
          `## ${group}`,
          table(
            ['Code', 'Status', 'Meaning'],
            those.map(({ code: number, name, status, when }) => [
              `[${number} ${name}](docs:errors/${number})`,
              String(status),
              when,
            ]),
          ),
        ),
      ),
      `## ${CHAT_GROUP}`,
      table(
        ['Code', 'Status', 'Meaning'],
        chatCodes.map(([name, { statuses, when }]) => [
          `[${name}](docs:errors/${name})`,
          statuses.join(', '),
          when,
        ]),
      ),
    ),
  };
}
