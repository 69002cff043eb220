// Values for parameters: valid ones, nearly valid ones, and hostile ones.
import type { TSchema } from 'typebox';
import type { Random } from '../../server/src/testing/random.ts';
import type { Pool } from './pool.ts';

/** The part of JSON Schema that routes are declared with. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Drawing {
  readonly random: Random;
  readonly pool: Pool;
}

const DEPTH_MAX = 5;
const ITEMS_MAX = 4;
const WORDS = [
  'hello',
  'سلام',
  'نیم‌فاصله',
  '**bold** `code`',
  '@**all**',
  '#**general**',
  '```quote\nx\n```',
  '$$\\frac{1}{2}$$',
  '/poll Lunch?\nPizza\nSoup',
  ':smile:',
  'https://example.com/a?b=c#d',
  '<time:2026-11-15T12:00:00Z>',
  '1',
  'true',
  'x',
] as const;

/** Texts of formats that no schema describes; the name of the parameter says which is wanted. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  dont_block: [true],
  idle_queue_timeout: [5, 30],
  symbol: ['btcusdt', 'ethusdt', 'btcirt', 'xrpusdt'],
  market: ['btcusdt'],
  side: ['buy', 'sell'],
  price: ['64000', '63990.5', '64010', '0.01', '1'],
  volume: ['0.001', '0.5', '0.000001', '1'],
  quoteVolume: ['10', '100'],
  stopPrice: ['63000', '65000'],
  clientOrderId: ['a', 'fuzz-1', 'fuzz-2', 'fuzz-3'],
  resolution: ['1m', '1h', '1d'],
  type: ['stream', 'direct', 'private', 'channel', 'limit', 'market'],
  to: ['general', '[1]', '["general"]', '9'],
  emoji_name: ['smile', 'heart', 'tada', 'octopus'],
  emoji_code: ['1f642', '2764', '1f389'],
  reaction_type: ['unicode_emoji', 'realm_emoji'],
  narrow: [
    [],
    [{ operator: 'channel', operand: 'general' }],
    [
      { operator: 'search', operand: 'hello "bold code"' },
      { operator: 'sender', operand: 9 },
    ],
    [{ negated: true, operator: 'is', operand: 'dm' }],
    [['topic', 'hello']],
  ],
  anchor: ['newest', 'oldest', 'first_unread', '5'],
  num_before: [0, 1, 20, 5000],
  num_after: [0, 1, 20, 5000],
  op: ['add', 'remove', 'start', 'stop'],
  flag: ['read', 'starred', 'collapsed'],
  event_types: [['message'], ['realm_user', 'subscription'], undefined],
  fetch_event_types: [['message'], ['realm', 'realm_user']],
  email: ['somebody@example.com', 'not an address', 'ÀÉ@example.com'],
  password: ['correct horse battery staple'],
  scheduled_delivery_timestamp: [4_102_444_800, 1],
  timestamp: [1_700_000_000],
  color: ['#123456', 'red'],
  url_template: ['https://example.com/{id}'],
  pattern: ['#(?P<id>[0-9]+)', '(a+)+$'],
  role: [400, 600],
};

/** A value that the schema allows, as far as a schema can tell. */
export function validValue(schema: TSchema, name: string, drawing: Drawing): unknown {
  return valueOf(schema, name, drawing, 0);
}

function valueOf(shape: Shape, name: string, drawing: Drawing, depth: number): unknown {
  const { random, pool } = drawing;
  if ('const' in shape) return shape.const;
  if (shape.enum !== undefined) return random.pick(shape.enum);
  const usual = BY_NAME[name];
  if (shape.anyOf !== undefined) {
    if (usual !== undefined && random.below(2) === 0) return random.pick(usual);
    return valueOf(random.pick(shape.anyOf), name, drawing, depth + 1);
  }
  if (usual !== undefined && random.below(4) > 0) return random.pick(usual);
  const known = random.below(5) > 0 ? pool.pick(name, random) : undefined;
  switch (shape.type) {
    case 'string':
      return typeof known === 'string' && fits(known, shape) ? known : textOf(shape, random);
    case 'integer':
    case 'number':
      return typeof known === 'number' ? known : numberOf(shape, random);
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    case 'array': {
      const { items } = shape;
      if (items === undefined || depth > DEPTH_MAX) return [];
      const count = random.below(Math.min(ITEMS_MAX, shape.maxItems ?? ITEMS_MAX) + 1);
      return Array.from({ length: count }, () => valueOf(items, name, drawing, depth + 1));
    }
    case 'object':
      return objectOf(shape, drawing, depth);
    default:
      return random.pick<unknown>([...WORDS, 1, null, [], {}]);
  }
}

function objectOf(shape: Shape, drawing: Drawing, depth: number): Record<string, unknown> {
  if (depth > DEPTH_MAX) return {};
  const entries = Object.entries(shape.properties ?? {}).filter(
    ([key]) => shape.required?.includes(key) === true || drawing.random.below(2) === 0,
  );
  return Object.fromEntries(
    entries.map(([key, property]) => [key, valueOf(property, key, drawing, depth + 1)]),
  );
}

const fits = (text: string, { maxLength = Infinity }: Shape): boolean => text.length <= maxLength;

function textOf({ minLength = 0, maxLength = 60, pattern }: Shape, random: Random): string {
  const word = random.pick(WORDS);
  if (pattern !== undefined && random.below(2) === 0) return '1'.repeat(Math.max(1, minLength));
  return word.padEnd(minLength, 'x').slice(0, maxLength);
}

function numberOf({ minimum = 0, maximum = 1000 }: Shape, random: Random): number {
  return random.pick([
    minimum,
    maximum,
    minimum + random.below(Math.max(1, Math.min(1000, maximum - minimum))),
  ]);
}

const DEEP = 2000;
const LONG = 70_000;

/** Texts that have broken servers before. The long ones are built each time. */
export const HOSTILE_TEXTS: readonly (() => string)[] = [
  () => '',
  () => ' ',
  () => 'a\0b',
  () => '\0',
  () => '\ud800',
  () => '\u202egnp.exe',
  () => '\u200b\u200c\u200d',
  () => '۱۲۳',
  () => '-1',
  () => '-0',
  () => '1e400',
  () => 'NaN',
  () => 'Infinity',
  () => '0x10',
  () => '99999999999999999999',
  () => '9007199254740993',
  () => '2147483648',
  () => '9223372036854775808',
  () => '0.1e-400',
  () => 'null',
  () => 'undefined',
  () => '[object Object]',
  () => '{',
  () => '[[[',
  () => '{"__proto__":{"isAdmin":true}}',
  () => '{"constructor":{"prototype":{"x":1}}}',
  () => '[{"operator":"search","operand":{"$ne":null}}]',
  () => '{"a":1,"a":2}',
  () => '['.repeat(DEEP) + ']'.repeat(DEEP),
  () => '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
  () => `[${'1,'.repeat(LONG / 2)}1]`,
  () => 'x'.repeat(LONG),
  () => '*'.repeat(5000),
  () => '> '.repeat(4000),
  () => '['.repeat(5000),
  () => '$$' + '{'.repeat(3000),
  () => '@**'.repeat(2000),
  () => ':'.repeat(5000),
  () => '`'.repeat(5001),
  () => '\u0301'.repeat(4000),
  () => "'; DROP TABLE users; --",
  () => '%',
  () => '%00',
  () => '../../../../etc/passwd',
  () => '..%2f..%2f',
  () => '<script>alert(1)</script>',
  () => '${7*7}{{7*7}}',
  () => '(a+)+$',
  () => '"'.repeat(301),
  () => '\r\nX-Injected: 1',
  () => 'א'.repeat(3000),
  () => '👩‍👩‍👧‍👦'.repeat(300),
];
