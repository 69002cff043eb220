// Says in words what a schema allows: the type of one value, and the fields of an answer as rows of a table.
import { resolve, type Contract, type Schema } from './contract.ts';

/** Deeper fields are left to the contract. */
const DEPTH_MAX = 6;
/** Longer lists of values would fill the page. */
const VALUES_SHOWN_MAX = 12;

/** Patterns that have a common word. */
const WORDS: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\\\.\[0-9\]\+/, 'decimal string'],
  [/\{13\}/, 'milliseconds as a string'],
  [/^\^\(?(?:0\|)?\[[01]-9\](?:[+*]|\[0-9\]|\{1,16\})/, 'whole number as a string'],
];

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** `string`, `integer, 1 to 1000`, `list of integer, at most 100`, `"buy" or "sell"`. */
export function typeOf(given: Schema, contract: Contract): string {
  const schema = resolve(given, contract);
  const values = valuesOf(schema);
  if (values !== undefined) return listValues(values.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((option) => typeOf(option, contract)))].join(' or ');
  }
  if (schema.type === 'array') {
    const of = schema.items === undefined ? '' : ` of ${typeOf(schema.items, contract)}`;
    return `list${of}${most(schema.maxItems, 'at most')}`;
  }
  if (schema.type === 'string') return textTypeOf(schema);
  if (schema.type === 'integer' || schema.type === 'number')
    return `${schema.type}${range(schema)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

/** The only values that it takes, if they are listed. */
export function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  const options = schema.anyOf;
  if (options === undefined || !options.every((option) => option.const !== undefined)) {
    return undefined;
  }
  return options.map((option) => option.const);
}

function listValues(texts: readonly string[]): string {
  const shown = texts.slice(0, VALUES_SHOWN_MAX);
  const more = texts.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function textTypeOf({ pattern, minLength, maxLength }: Schema): string {
  const known = WORDS.find(([form]) => pattern !== undefined && form.test(pattern));
  if (known !== undefined) return known[1];
  const least = minLength === undefined || minLength === 0 ? '' : `, at least ${minLength}`;
  return `string${least}${most(maxLength, 'at most', ' characters')}`;
}

const most = (count: number | undefined, word: string, unit = ''): string =>
  count === undefined ? '' : `, ${word} ${count}${unit}`;

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return most(maximum, 'at most');
}

/** The fields of an object, those inside as `outer.inner` and `list[].inner`. */
export function fieldsOf(given: Schema, contract: Contract, at = '', depth = 0): Field[] {
  const schema = resolve(given, contract);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const field = {
      name: path,
      type: typeOf(property, contract),
      isRequired: required.has(name),
      description: descriptionOf(property, contract),
    };
    if (depth >= DEPTH_MAX) return [field];
    return [field, ...fieldsInside(property, contract, path, depth)];
  });
}

function fieldsInside(given: Schema, contract: Contract, path: string, depth: number): Field[] {
  const schema = resolve(given, contract);
  const options = schema.anyOf ?? [schema];
  const found = options.flatMap((option) => {
    const inner = resolve(option, contract);
    if (inner.type === 'array' && inner.items !== undefined) {
      return fieldsInsideItem(inner.items, contract, `${path}[]`, depth);
    }
    return fieldsInsideItem(inner, contract, path, depth);
  });
  return [...new Map(found.map((field) => [field.name, field])).values()];
}

function fieldsInsideItem(
  schema: Schema,
  contract: Contract,
  path: string,
  depth: number,
): Field[] {
  const inner = resolve(schema, contract);
  if (inner.properties !== undefined) return fieldsOf(inner, contract, path, depth + 1);
  const [values] = Object.values(inner.patternProperties ?? {});
  if (values !== undefined) return fieldsInside(values, contract, `${path}.*`, depth + 1);
  return inner.anyOf === undefined ? [] : fieldsInside(inner, contract, path, depth + 1);
}

const descriptionOf = (given: Schema, contract: Contract): string =>
  given.description ?? resolve(given, contract).description ?? '';
