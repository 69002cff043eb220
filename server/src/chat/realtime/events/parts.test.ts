// Checks the list of register parts: nothing is missing, and nothing is there twice.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Type, type TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { notInState, type RegisterPart } from '../../register-part.ts';
import { eventName } from './catalog.ts';
import { PARTS } from './parts.ts';
import { ANSWER_ORDER } from './snapshot.ts';

const SOURCE = fileURLToPath(import.meta.url).replace(/\/chat\/.*$/, '/');

/** Exported rows that have a type and are no events. */
const ROWS: ReadonlySet<string> = new Set(['Reminder']);

const constOf = (shape: TObject, name: 'type' | 'op'): string | undefined =>
  (shape.properties as Record<string, { const?: string } | undefined>)[name]?.const;
const typeOf = (shape: TObject): string => constOf(shape, 'type') ?? '';
const nameOf = (shape: TObject): string =>
  eventName({ type: typeOf(shape), op: constOf(shape, 'op') });

const shapesOf = ({ events, internalEvents = [] }: RegisterPart) => [...events, ...internalEvents];
const unique = (names: readonly string[]): string[] => [...new Set(names)];
const repeated = (names: readonly string[]): string[] =>
  unique(names.filter((name, index) => names.indexOf(name) !== index));

/** What is wrong with a list of parts, as sentences. */
function problemsOf(parts: readonly RegisterPart[]): string[] {
  const eventTypes = new Set(parts.flatMap(({ events }) => events.map(typeOf)));
  const own = parts.flatMap((part) => {
    const types = unique(part.events.map(typeOf));
    const appliers = Object.entries(part.applyInTests ?? {});
    const followed = Object.keys(part.followInTests ?? {});
    const isInState = [...appliers, ...Object.entries(part.followInTests ?? {})].some(
      ([, apply]) => apply !== notInState,
    );
    const forgotten = types.filter((type) => !appliers.some(([name]) => name === type));
    const strange = appliers.map(([name]) => name).filter((name) => !types.includes(name));
    const unknown = followed.filter((name) => !eventTypes.has(name) || types.includes(name));
    return [
      ...forgotten.map((type) => `${type} has no applyInTests; it may be notInState`),
      ...strange.map((type) => `applyInTests names ${type}, which another part declares, or none`),
      ...unknown.map((type) => `followInTests names ${type}, which no other part declares`),
      ...(isInState && part.load === undefined
        ? [`${types.join(', ')} changes a state that no load of its part gives`]
        : []),
    ];
  });
  return [
    ...repeated(parts.flatMap((part) => shapesOf(part).map(nameOf))).map(
      (name) => `the event ${name} is declared twice`,
    ),
    ...repeated(parts.flatMap((part) => unique(shapesOf(part).map(typeOf)))).map(
      (type) => `events of type ${type} are declared by two parts`,
    ),
    ...repeated(parts.flatMap(({ load = {} }) => Object.keys(load))).map(
      (type) => `${type} is loaded by two parts`,
    ),
    ...own,
  ];
}

const isEventShape = (value: unknown): value is TObject =>
  typeof value === 'object' &&
  value !== null &&
  'properties' in value &&
  constOf(value as TObject, 'type') !== undefined;

/** What the files of that name export, here and in the accounts. */
async function exportsOf(file: string): Promise<{ file: string; name: string; value: unknown }[]> {
  const files = globSync(`{chat,accounts}/**/${file}`, { cwd: SOURCE });
  const modules = await Promise.all(
    files.map(async (path) => {
      const module = (await import(/* @vite-ignore */ `${SOURCE}${path}`)) as object;
      return Object.entries(module).map(([name, value]) => ({ file: path, name, value }));
    }),
  );
  return modules.flat();
}

describe('the parts of register', () => {
  it('own each event type and each fetched type once, and say how every event applies', () => {
    expect(problemsOf(PARTS)).toEqual([]);
  });

  it('are all listed: every part and every event that a feature exports', async () => {
    const parts = (await exportsOf('state.ts')).filter(({ name }) => name.endsWith('Part'));
    expect(parts.length).toBeGreaterThan(30);
    const unlisted = parts.filter(({ value }) => !PARTS.includes(value as RegisterPart));
    expect(unlisted.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);

    const shapes = new Set(PARTS.flatMap(shapesOf));
    const exported = (await exportsOf('events.ts')).flatMap(({ file, name, value }) =>
      [value].flat().map((one) => ({ file, name, one })),
    );
    const events = exported.filter(({ name, one }) => !ROWS.has(name) && isEventShape(one));
    expect(events.length).toBeGreaterThan(80);
    const forgotten = events.filter(({ one }) => !shapes.has(one as TObject));
    expect(forgotten.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('are answered in an order that names only what some part loads', () => {
    const loaded = new Set(PARTS.flatMap(({ load = {} }) => Object.keys(load)));
    expect(ANSWER_ORDER.filter((type) => !loaded.has(type))).toEqual([]);
    expect(repeated(ANSWER_ORDER)).toEqual([]);
  });
});

describe('the check of the parts', () => {
  const added = Type.Object({ type: Type.Literal('pins'), op: Type.Literal('add') });
  const removed = Type.Object({ type: Type.Literal('pins'), op: Type.Literal('remove') });
  const load = { pins: () => ({ pins: [] }) };
  const applyInTests = { pins: () => ({ pins: [] }) };
  const pins: RegisterPart = { load, events: [added], applyInTests };

  it('accepts a complete part', () => {
    expect(problemsOf([pins])).toEqual([]);
  });

  it.each<[string, RegisterPart, string]>([
    [
      'an event that two parts declare',
      { events: [added] },
      'the event pins/add is declared twice',
    ],
    [
      'a type that two parts own',
      { events: [removed] },
      'events of type pins are declared by two parts',
    ],
    ['a type that two parts load', { load, events: [] }, 'pins is loaded by two parts'],
    [
      'an applied event of another part',
      { events: [], applyInTests },
      'applyInTests names pins, which another part declares, or none',
    ],
    [
      'a followed event of nobody',
      { events: [], followInTests: { nobody: notInState } },
      'followInTests names nobody, which no other part declares',
    ],
  ])('sees %s', (_what, other, problem) => {
    expect(problemsOf([pins, other])).toContain(problem);
  });

  it('sees an event that nothing applies, and a state that nothing loads', () => {
    expect(problemsOf([{ load, events: [added] }])).toEqual([
      'pins has no applyInTests; it may be notInState',
    ]);
    expect(problemsOf([{ events: [added], applyInTests }])).toEqual([
      'pins changes a state that no load of its part gives',
    ]);
    expect(problemsOf([{ events: [added], applyInTests: { pins: notInState } }])).toEqual([]);
  });
});
