// The published description of the WebSocket, made from the declarations: operations, channels, pushes, notices, close
// codes and limits. Clients generate their types from it, and the reference is printed from it.
import { Type, type TSchema } from 'typebox';
import { assert } from '../../platform/std/assert.ts';
import { getError } from '../http/errors.ts';
import { Choice, Count, Millis } from '../values.ts';
import type { Channel } from './channel.ts';
import { CHANNELS } from './channels.ts';
import { CLOSES } from './closes.ts';
import { BEHIND_BYTES, CLOSING_REASONS, QUEUE_BYTES_MAX } from './connection.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { FRAME_BYTES_MAX, NOTICE_MS } from './streams.ts';

/** Frames that are neither answers nor pushes of a channel. */
const NOTICES: readonly { readonly summary: string; readonly frame: TSchema }[] = [
  {
    summary: 'The connection ends soon: connect again, here or elsewhere.',
    frame: Type.Object({
      type: Type.Literal('closing'),
      reason: Choice(CLOSING_REASONS, 'Why.'),
      time: Millis('When this was said.'),
    }),
  },
  {
    summary:
      'The client reads too slowly. Until it has caught up, it gets no differences, and then a snapshot.',
    frame: Type.Object({
      type: Type.Literal('slow'),
      time: Millis('When this was said.'),
      queuedBytes: Count('What waits to be read.'),
      closedAtBytes: Count('With more than this the connection is closed.'),
    }),
  },
];

const Id = Type.String({ maxLength: 64, description: 'Chosen by the client; the answer has it.' });

export function streamDocument(url: string): Record<string, unknown> {
  const $defs: Record<string, unknown> = {};
  const document = withReferences(JSON.parse(JSON.stringify(describe(url))), $defs);
  return { ...(document as Record<string, unknown>), $defs };
}

/** Every schema with a title stands once among the definitions, and is referred to. */
function withReferences(value: unknown, $defs: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, $defs));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    withReferences(member, $defs),
  ]);
  const schema: Record<string, unknown> = Object.fromEntries(members);
  const { title, type } = schema;
  if (typeof title !== 'string' || type !== 'object') return schema;
  const known = $defs[title];
  assert(
    known === undefined || JSON.stringify(known) === JSON.stringify(schema),
    'a title names one shape',
    { title },
  );
  $defs[title] = schema;
  return { $ref: `#/$defs/${title}` };
}

const describe = (url: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rialto trading streams',
  description:
    'One WebSocket for market data, for the own account and for orders. Every frame is text: one JSON object. Numbers are JSON strings.',
  url,
  envelope: {
    request: Type.Object({ id: Type.Optional(Id), op: Type.String() }),
    answer: Type.Object({
      id: Type.Optional(Id),
      op: Type.Optional(Type.String()),
      status: Choice(['true', 'false'], 'Whether it was done.'),
      serverTime: Millis('When it was answered.'),
      result: Type.Unknown({ description: 'As the operation says; null after an error.' }),
      idempotentReplay: Type.Optional(
        Type.Literal(true, { description: 'It repeats the outcome of an earlier request.' }),
      ),
      error: Type.Optional(
        Type.Object({
          code: Type.String(),
          name: Type.String(),
          message: Type.String(),
          details: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
    }),
    push: Type.Object({
      channel: Type.String({ description: 'Its full name.' }),
      type: Choice(['snapshot', 'update'], 'A snapshot replaces everything that came before.'),
      time: Millis('When it happened, by the clock of the venue.'),
      streamSeq: Type.Optional(
        Count(
          'Of private channels: counted for the account over all of them, without gaps. A snapshot has the number of the last push that it includes.',
        ),
      ),
      engineSeq: Type.Optional(Count('Of private channels: the engine event that caused it.')),
      data: Type.Unknown({ description: 'As the channel says.' }),
    }),
  },
  operations: OPERATIONS.map(describeOperation),
  channels: CHANNELS.map(describeChannel),
  notices: NOTICES,
  closeCodes: Object.entries(CLOSES).map(([name, { code, when }]) => ({ code, name, when })),
  limits: {
    frameBytesMax: FRAME_BYTES_MAX,
    behindBytes: BEHIND_BYTES,
    queueBytesMax: QUEUE_BYTES_MAX,
    noticeMs: NOTICE_MS,
  },
});

const describeOperation = (operation: Operation) => ({
  name: operation.name,
  access: operation.access,
  summary: operation.summary,
  params: operation.params,
  result: operation.returns,
  errors: operation.errors.map((name) => {
    const { code, when } = getError(name);
    return { code, name, when };
  }),
});

const describeChannel = ({ pattern, access, summary, cadence, choices, ...data }: Channel) => ({
  pattern,
  access,
  summary,
  cadence,
  ...(choices === undefined ? {} : { choices }),
  ...(data.snapshot === undefined ? {} : { snapshot: data.snapshot }),
  update: data.update,
});
