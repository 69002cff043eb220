// One page for each type of event that a queue delivers, with every shape it has.
import type { Page, PageSource, SourceInput } from '../site/page.ts';
import { contractOf, type Schema } from './contract.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';
import { blocks, code, json, table } from './markdown.ts';
import { readRecording } from './recorded.ts';
import { exampleOf } from './schema-example.ts';
import { fieldsOf } from './shape.ts';

const EVENTS_FILE = 'contracts/events.schema.json';
/** Event shapes refer to nothing outside themselves. */
const ALONE = contractOf();

export const readEventShapes = ({
  readFile,
}: Pick<SourceInput, 'readFile'>): Readonly<Record<string, Schema>> =>
  (JSON.parse(readFile(EVENTS_FILE)) as { $defs: Record<string, Schema> }).$defs;

export const listEventPages: PageSource = (input) => {
  const shapes = Object.entries(readEventShapes(input));
  const types = [...Map.groupBy(shapes, ([name]) => typeOf(name))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const recorded = recordedEvents(input);
  return [
    overview(types),
    ...types.map(([type, those], index): Page => ({
      path: `events/${type}`,
      language: 'en',
      title: type,
      section: 'events',
      order: index + 1,
      description: meaningOf(type),
      markdown: blocks(
        meaningOf(type),
        ...those.map(([name, shape]) => shapeText(name, shape, recorded.get(name))),
      ),
      keywords: [type, ...those.map(([name]) => name)],
    })),
  ];
};

const typeOf = (name: string): string => name.split('/', 1)[0] ?? name;
const meaningOf = (type: string): string => EVENT_MEANINGS[type] ?? `Events of the type ${type}.`;

function shapeText(name: string, shape: Schema, recorded: unknown): string {
  const [, op] = name.split('/');
  const rows = [
    [code('id'), 'integer', 'The number of the event in its queue. It grows, with gaps.'],
    ...fieldsOf(shape, ALONE).map((field) => [
      code(field.name),
      field.isRequired ? field.type : `${field.type}, may be absent`,
      field.description,
    ]),
  ];
  return blocks(
    `## ${op === undefined ? 'Fields' : `With op ${op}`}`,
    op === undefined || shape.description === undefined ? undefined : shape.description,
    table(['Field', 'Type', 'Meaning'], rows),
    recorded === undefined
      ? json({ id: 8192, ...(exampleOf(shape, ALONE) as object) }, 'Form')
      : json(recorded, 'Recorded'),
  );
}

/** Those that the recorded answer of `get-events` has, by their names. */
function recordedEvents(input: SourceInput): Map<string, unknown> {
  const { calls } = readRecording('chat', input);
  const answer = calls['get-events']?.answer as
    { events?: { type: string; op?: string }[] } | undefined;
  return new Map(
    (answer?.events ?? []).map((event) => [
      event.op === undefined ? event.type : `${event.type}/${event.op}`,
      event,
    ]),
  );
}

function overview(
  types: readonly (readonly [string, readonly (readonly [string, Schema])[]])[],
): Page {
  return {
    path: 'events',
    language: 'en',
    title: 'Events',
    section: 'events',
    order: 0,
    description: 'Every event that a queue delivers.',
    markdown: blocks(
      '[The event queue](docs:concepts/event-queue) explains how a client gets events. Each event has `id` and `type`, and many have `op`. A client ignores types and fields that it does not know.',
      table(
        ['Type', 'Shapes', 'When'],
        types.map(([type, those]) => [
          `[${code(type)}](docs:events/${type})`,
          those
            .map(([name]) => name.split('/')[1])
            .filter((op) => op !== undefined)
            .join(', '),
          meaningOf(type),
        ]),
      ),
    ),
  };
}
