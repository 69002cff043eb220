// The page of limits. Its numbers are those in force: the settings of this server, and the constants of the code.
import type { PageSource, SourceInput } from '../site/page.ts';
import type { Schema } from './contract.ts';
import { readBook } from './endpoints.ts';
import { blocks, table } from './markdown.ts';

const KIB = 1024;

export const listLimitsPage: PageSource = (input) => [
  {
    path: 'limits',
    language: 'en',
    title: 'Limits',
    section: 'facts',
    order: 10,
    description: 'How often and how much a caller may ask, in numbers.',
    markdown: blocks(
      'These are the limits of this server. Operators can change those that are settings; this page shows the values in force.',
      '## Trading API',
      tradingTable(input),
      'Every answer has `X-SVC-RATELIMIT-LIMIT`, `-WINDOW`, `-REMAINING` and `-RESET`. A refusal is 429 with `Retry-After` in seconds and `details.retryAfterMs` in milliseconds. Refused requests do not prolong the wait. An address is an IPv4 address or an IPv6 network of 64 bits.',
      'A market has limits of its own: `GET /public/markets` has `minimumQuoteSize`, `maxMarketOrderAsk`, `maxMarketOrderBid`, `maxOpenOrders`, `maxConditionalOrders` and the price band.',
      '## Chat API',
      chatTable(input),
      'Every answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. A refusal is 429 `RATE_LIMIT_HIT` with `Retry-After`.',
      '## Sizes in the chat',
      table(
        ['What', 'At most'],
        [
          ['Characters of a message', number(input.limits.chat.max_message_length)],
          ['Characters of a topic', number(input.limits.chat.max_topic_length)],
          ['Characters of a channel’s name', number(input.limits.chat.max_stream_name_length)],
          [
            'Characters of a channel’s description',
            number(input.limits.chat.max_stream_description_length),
          ],
          ['Picture of a person', `${input.limits.chat.max_avatar_file_size_mib} MiB`],
          ['Characters of a password', number(input.limits.chat.password_max_length)],
        ],
      ),
      '## Event queues',
      table(
        ['What', 'At most'],
        [
          ['Queues of one user', number(input.settings.QUEUES_PER_USER_MAX)],
          ['Positions that a resumed queue reads again', number(input.settings.QUEUE_REPLAY_MAX)],
        ],
      ),
      'Operators find the limits of whole processes in [Limits for operators](docs:operating/limits).',
    ),
    keywords: ['rate limit', 'TRADING_RATE_LIMIT', 'CHAT_RATE_LIMIT', '429', 'RATE_LIMITED'],
  },
];

/** Of a setting whose zero switches the limit off. */
const orNone = (value: number): string => (value === 0 ? 'no limit' : number(value));

const number = (value: number): string => value.toLocaleString('en-US');

function tradingTable(input: SourceInput): string {
  const { settings } = input;
  const { TRADING_RATE_LIMIT: requests, TRADING_RATE_WINDOW_MS: windowMs } = settings;
  const period = windowMs === 1000 ? 'a second' : `in ${number(windowMs)} ms`;
  return table(
    ['What', 'At most'],
    [
      [
        'Requests of one address, all operations together',
        `${number(requests)} ${period}, sliding`,
      ],
      [
        'Signed requests of one account, over all its keys',
        `${number(requests)} ${period}, sliding`,
      ],
      ['New orders of an account in a day (UTC)', orNone(settings.TRADING_DAILY_ORDERS_MAX)],
      [
        'Orders in one `create_batch`',
        number(itemsMax(input, 'privateOrderCreateBatch', 'orders')),
      ],
      [
        'Orders in one `cancel_batch`',
        number(itemsMax(input, 'privateOrderCancelBatch', 'orderIds')),
      ],
      ['Body of a request', `${number(input.limits.tradingBodyBytes / KIB)} KiB`],
      ['Sub-accounts of an account', number(settings.TRADING_SUB_ACCOUNTS_MAX)],
      ['Entries of a statement', number(settings.TRADING_STATEMENT_ENTRIES_MAX)],
    ],
  );
}

/** As the contract declares it, where requests are checked by it. */
function itemsMax(input: SourceInput, id: string, parameter: string): number {
  const { contract } = readBook('trading', input);
  const operation = Object.values(contract.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  const body = operation?.requestBody?.content['application/json']?.schema;
  const schema: Schema | undefined = body?.properties?.[parameter];
  if (schema?.maxItems === undefined) throw new Error(`${id} does not limit ${parameter}.`);
  return schema.maxItems;
}

function chatTable({ settings }: SourceInput): string {
  const calls = settings.CHAT_RATE_LIMIT;
  return table(
    ['What', 'At most'],
    [
      ['Calls of one user', `${number(calls)} a minute, sliding`],
      ['Polls of one user (`GET /events`)', `${number(settings.CHAT_RATE_LIMIT_POLLS)} a minute`],
      [
        'Calls of one address without credentials, or with wrong ones',
        `${number(settings.CHAT_RATE_LIMIT_ANONYMOUS)} a minute`,
      ],
      [
        'Calls of all bots of one owner together',
        `${number(calls * settings.CHAT_BOTS_LIMIT_FACTOR)} a minute`,
      ],
      ['Bots of one owner', number(settings.CHAT_BOTS_PER_OWNER_MAX)],
    ],
  );
}
