// The reference of the WebSocket: one page for each channel and each operation, from contracts/streams.json.
import type { Page, PageSource, SourceInput } from '../site/page.ts';
import { contractOf, resolve, type Contract, type Schema } from './contract.ts';
import { readBook } from './endpoints.ts';
import { blocks, code, json, table } from './markdown.ts';
import { readRecording, type Recording } from './recorded.ts';
import { exampleOf } from './schema-example.ts';
import { fieldsOf } from './shape.ts';

interface StreamOperation {
  readonly name: string;
  readonly access: 'public' | 'private';
  readonly summary: string;
  readonly params: Schema;
  readonly result: Schema;
  readonly errors: readonly { readonly code: string; readonly name: string }[];
}

interface StreamChannel {
  readonly pattern: string;
  readonly access: 'public' | 'private';
  readonly summary: string;
  readonly cadence: string;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  readonly snapshot?: Schema | null;
  readonly update: Schema;
}

export interface StreamsContract {
  readonly url: string;
  readonly description: string;
  readonly operations: readonly StreamOperation[];
  readonly channels: readonly StreamChannel[];
  readonly notices: readonly { readonly summary: string; readonly frame: Schema }[];
  readonly $defs: Readonly<Record<string, Schema>>;
  readonly closeCodes: readonly {
    readonly code: number;
    readonly name: string;
    readonly when: string;
  }[];
}

const CHANNELS = 'Channels';
const OPERATIONS = 'Operations';
/** Channels and operations may share a name, and a client sees both. */
const OPERATIONS_FROM = 1000;

export const readStreams = ({ readFile }: Pick<SourceInput, 'readFile'>): StreamsContract =>
  JSON.parse(readFile('contracts/streams.json')) as StreamsContract;

export const listStreamPages: PageSource = (input) => {
  const streams = readStreams(input);
  const contract = contractOf(withExamples(streams.$defs, input));
  const { calls } = readRecording('trading', input);
  return [
    overview(streams, contract),
    ...streams.channels.map((channel, index) => channelPage(channel, index, contract)),
    ...streams.operations.map((operation, index) =>
      operationPage(operation, index, contract, calls),
    ),
  ];
};

/** Resources of the trading API have an example there, which is part of one story. */
function withExamples(
  schemas: StreamsContract['$defs'],
  input: SourceInput,
): Readonly<Record<string, Schema>> {
  const known = readBook('trading', input).contract.components.schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { examples = schema.examples } = known[name] ?? {};
      return [name, examples === undefined ? schema : { ...schema, examples }];
    }),
  );
}

/** `book:{symbol}:{depth}` is `channel-book`, `order.create_batch` is `order-create-batch`. */
export const channelPath = (pattern: string): string =>
  `streams/channel-${pattern.split(':', 1)[0] ?? ''}`;
export const operationPath = (name: string): string => `streams/${name.replaceAll(/[._]/g, '-')}`;

function channelPage(channel: StreamChannel, index: number, contract: Contract): Page {
  const { pattern, access, summary, cadence, choices = {}, snapshot, update } = channel;
  const name = exampleName(channel);
  const parts = Object.entries(choices).map(
    ([part, values]) => `${code(`{${part}}`)} is one of ${values.map(code).join(', ')}.`,
  );
  return {
    path: channelPath(pattern),
    language: 'en',
    title: pattern,
    section: 'streams',
    group: CHANNELS,
    order: index + 1,
    description: summary,
    markdown: blocks(
      summary,
      `Updates come ${cadence}. ${accessText(access)}`,
      parts.join(' '),
      '## Subscribe',
      json({ id: '1', op: 'subscribe', channels: [name] }, 'You send'),
      snapshot === undefined || snapshot === null
        ? 'Updates come without a snapshot.'
        : pushText({ title: 'Snapshot', name, type: 'snapshot' }, snapshot, contract),
      pushText({ title: 'Update', name, type: 'update' }, update, contract),
    ),
    keywords: [pattern, pattern.split(':', 1)[0] ?? pattern],
  };
}

const exampleName = ({ pattern, choices = {} }: StreamChannel): string =>
  pattern.replaceAll(/\{(\w+)\}/g, (_part, part: string) =>
    part === 'symbol' ? 'btcusdt' : (choices[part]?.[0] ?? part),
  );

const accessText = (access: 'public' | 'private'): string =>
  access === 'public'
    ? 'Everybody can follow it.'
    : 'It is about your own account, so the connection needs a [login](docs:streams/login) or a session.';

interface Push {
  readonly title: string;
  /** Of the channel. */
  readonly name: string;
  readonly type: string;
}

function pushText({ title, name, type }: Push, given: Schema, contract: Contract): string {
  const schema = resolve(given, contract);
  const isList = schema.type === 'array';
  return blocks(
    `## ${title}`,
    isList ? '`data` is a list. Each entry has:' : '`data` has:',
    fieldTable(isList ? (schema.items ?? {}) : schema, contract),
    json({ channel: name, type, time: '1760000000000', data: exampleOf(schema, contract) }, 'Form'),
  );
}

function fieldTable(schema: Schema, contract: Contract): string {
  const rows = fieldsOf(schema, contract).map(({ name, type, isRequired, description }) => [
    code(name),
    isRequired ? type : `${type}, may be absent`,
    description,
  ]);
  return rows.length === 0 ? 'Nothing.' : table(['Field', 'Type', 'Meaning'], rows);
}

function operationPage(
  operation: StreamOperation,
  index: number,
  contract: Contract,
  calls: Recording['calls'],
): Page {
  const { name, access, summary, params, result, errors } = operation;
  const links = errors.map((one) => `[${one.code} ${one.name}](docs:errors/${one.code})`);
  // Operations with orders take what their sisters in the trading API take.
  const recorded =
    calls[
      `private_${name}`.replaceAll(/[._](\w)/g, (_mark, letter: string) => letter.toUpperCase())
    ];
  const asked =
    recorded === undefined ? requiredOnly(params, contract) : { params: recorded.params };
  return {
    path: operationPath(name),
    language: 'en',
    title: name,
    section: 'streams',
    group: OPERATIONS,
    order: OPERATIONS_FROM + index,
    description: summary,
    markdown: blocks(
      summary,
      access === 'public' ? undefined : 'It needs a [login](docs:streams/login) or a session.',
      '## Frame',
      fieldTable(params, contract),
      json({ id: '1', op: name, ...(asked as object) }, 'You send'),
      '## Result',
      fieldTable(result, contract),
      '## Errors',
      links.length === 0
        ? 'None of its own. [Errors](docs:errors) lists those that every frame can get.'
        : links.join(' · '),
    ),
    keywords: [name],
  };
}

/** A frame as short as it can be. */
function requiredOnly(given: Schema, contract: Contract): unknown {
  const schema = resolve(given, contract);
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name));
  return exampleOf({ type: 'object', properties: Object.fromEntries(properties) }, contract);
}

function overview(streams: StreamsContract, contract: Contract): Page {
  return {
    path: 'streams',
    language: 'en',
    title: 'Streams',
    section: 'streams',
    order: 0,
    description: 'Every channel, operation and close code of the WebSocket.',
    markdown: blocks(
      `${streams.description} The address is ${code(streams.url)}. [Streams](docs:concepts/streams) explains how to use it.`,
      `## ${CHANNELS}`,
      table(
        ['Channel', 'Access', 'Pushes'],
        streams.channels.map(({ pattern, access, summary }) => [
          `[${code(pattern)}](docs:${channelPath(pattern)})`,
          access,
          summary,
        ]),
      ),
      `## ${OPERATIONS}`,
      table(
        ['Operation', 'Access', 'Does'],
        streams.operations.map(({ name, access, summary }) => [
          `[${code(name)}](docs:${operationPath(name)})`,
          access,
          summary,
        ]),
      ),
      '## Notices',
      ...streams.notices.map(({ summary, frame }) =>
        blocks(summary, json(exampleOf(frame, contract), 'Notice')),
      ),
      '## Close codes',
      table(
        ['Code', 'Name', 'When'],
        streams.closeCodes.map((close) => [String(close.code), code(close.name), close.when]),
      ),
    ),
    keywords: ['WebSocket', 'AsyncAPI', ...streams.closeCodes.map((close) => String(close.code))],
  };
}
