// Parses parameters by walking the schema that the route declares. Everything arrives as text (or
// as text nested in lists and objects), and leaves with the declared type, or as a refusal that
// names the parameter.
import type { Static, TObject } from 'typebox';
import { parseValue } from '../../accounts/trading-keys/json.ts';
import type { Given, ParameterPair } from '../../accounts/trading-keys/parameters.ts';
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import { refuse } from './errors.ts';

/** The part of JSON Schema that parameters are declared with. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  /** Our own keyword: letters are lowered before the value is looked up. */
  readonly 'x-fold'?: 'lower' | 'upper';
}

type Parser = (given: Given, name: string) => unknown;

export interface ParamsOptions {
  /** Public endpoints ignore unknown names; private ones must not drop a misspelt one. */
  unknownNames: 'ignored' | 'refused';
  /** Names that belong to every request, not to the endpoint. */
  reserved?: readonly string[];
}

/** Builds the parser of a route's parameters, once. */
export function compileParams<P extends TObject>(
  schema: P,
  { unknownNames, reserved = [] }: ParamsOptions,
): (pairs: readonly ParameterPair[]) => Static<P> {
  const parse = compileObject(schema);
  const known = new Set(Object.keys(schema.properties));
  const skipped = new Set(reserved);
  return (pairs) => {
    const given = new Map<string, Given>();
    for (const { name, value } of pairs) {
      if (skipped.has(name)) continue;
      if (!known.has(name)) {
        if (unknownNames === 'ignored') continue;
        throw unknown(name);
      }
      if (given.has(name)) {
        throw refuse('PARAMETER_DUPLICATE', `The parameter '${name}' occurs twice.`, {
          parameter: name,
        });
      }
      if (value === undefined) throw invalid(name, 'has characters that cannot be read');
      given.set(name, value);
    }
    return parse(given, '') as Static<P>;
  };
}

function compileObject(shape: Shape): Parser {
  const required = new Set(shape.required);
  const fields = Object.entries(shape.properties ?? {}).map(
    ([name, field]): [string, Parser, boolean] => [name, compile(field), required.has(name)],
  );
  const known = new Set(fields.map(([name]) => name));
  return (given, path) => {
    if (!(given instanceof Map)) throw invalid(path, 'must be an object');
    const members = given as ReadonlyMap<string, Given>;
    for (const name of members.keys()) {
      if (!known.has(name)) throw unknown(join(path, name));
    }
    const values: Record<string, unknown> = {};
    for (const [name, parse, isRequired] of fields) {
      const value = members.get(name);
      // An empty value counts as absent: forms send every field that they show.
      if (value === undefined || value === '') {
        if (!isRequired) continue;
        const where = join(path, name);
        throw refuse('PARAMETER_MISSING', `The parameter '${where}' is required.`, {
          parameter: where,
        });
      }
      values[name] = parse(value, join(path, name));
    }
    return values;
  };
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function compile(shape: Shape): Parser {
  if (shape.enum !== undefined) return compileChoice(shape, shape.enum);
  if (shape.anyOf !== undefined) return compileChoice(shape, shape.anyOf.map(constantOf));
  switch (shape.type) {
    case 'string':
      return shape.const === undefined ? compileText(shape) : compileChoice(shape, [shape.const]);
    case 'integer':
      return compileInteger(shape);
    case 'boolean':
      return (given, name) => {
        if (given !== 'true' && given !== 'false') throw invalid(name, 'must be true or false');
        return given === 'true';
      };
    case 'array':
      return compileArray(shape);
    case 'object':
      return compileObject(shape);
    default:
      throw new Error(`Parameters cannot be declared with ${JSON.stringify(shape)}.`);
  }
}

function constantOf(option: Shape): string {
  if (option.const === undefined) throw new Error('A choice of parameters is between texts.');
  return option.const;
}

function compileChoice(shape: Shape, allowed: readonly string[]): Parser {
  return (given, name) => {
    const text = typeof given === 'string' ? fold(shape, given) : undefined;
    if (text !== undefined && allowed.includes(text)) return text;
    throw refuse('PARAMETER_INVALID', `The parameter '${name}' must be ${listed(allowed)}.`, {
      parameter: name,
      allowed,
    });
  };
}

const listed = (allowed: readonly string[]) => allowed.map((text) => `'${text}'`).join(' or ');

function compileText(shape: Shape): Parser {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape;
  // The pattern is a constant of a declared route.
  const pattern = shape.pattern === undefined ? undefined : new RegExp(shape.pattern, 'u');
  return (given, name) => {
    if (typeof given !== 'string') throw invalid(name, 'must be a text');
    const text = fold(shape, given);
    if (text.length < minLength || text.length > maxLength) {
      throw invalid(name, `must have ${minLength} to ${maxLength} characters`);
    }
    if (pattern?.test(text) === false) throw invalid(name, `must match ${shape.pattern}`);
    return text;
  };
}

function fold(shape: Shape, text: string): string {
  if (shape['x-fold'] === undefined) return text;
  return shape['x-fold'] === 'lower' ? text.toLowerCase() : text.toUpperCase();
}

/** Longer numbers count nothing here, and would not be exact. */
const DIGITS_MAX = 15;

function compileInteger(shape: Shape): Parser {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = shape;
  return (given, name) => {
    if (typeof given !== 'string' || !/^-?(0|[1-9][0-9]*)$/.test(given)) {
      throw invalid(name, 'must be a whole number, written with the digits 0 to 9');
    }
    const value = Number(given);
    if (given.length <= DIGITS_MAX && value >= minimum && value <= maximum) return value;
    throw refuse('PARAMETER_RANGE', `The parameter '${name}' must be ${minimum} to ${maximum}.`, {
      parameter: name,
      minimum: String(minimum),
      maximum: String(maximum),
    });
  };
}

function compileArray(shape: Shape): Parser {
  if (shape.items === undefined) throw new Error('An array parameter declares its items.');
  const parseItem = compile(shape.items);
  const { minItems = 0, maxItems = 1000 } = shape;
  return (given, name) => {
    const items = typeof given === 'string' ? parseList(given, name) : given;
    if (!Array.isArray(items)) throw invalid(name, 'must be a list');
    if (items.length < minItems || items.length > maxItems) {
      throw refuse(
        'PARAMETER_RANGE',
        `The parameter '${name}' must have ${minItems} to ${maxItems} entries.`,
        { parameter: name, minimum: String(minItems), maximum: String(maxItems) },
      );
    }
    return (items as readonly Given[]).map((item, index) => parseItem(item, `${name}[${index}]`));
  };
}

/** In a query string or a form, a list is its JSON text. */
function parseList(text: string, name: string): Given {
  try {
    return parseValue(text);
  } catch (error) {
    // A list with a number in it; the message says how to write that.
    const isList = text.trimStart().startsWith('[');
    if (isList && error instanceof RequestProblem && error.kind === 'NUMBER_NOT_STRING') {
      throw refuse(error.kind, error.message, { parameter: name });
    }
    throw invalid(name, 'must be a JSON list');
  }
}

const invalid = (name: string, what: string): Refusal =>
  refuse('PARAMETER_INVALID', `The parameter '${name}' ${what}.`, { parameter: name });

const unknown = (name: string): Refusal =>
  refuse('PARAMETER_UNKNOWN', `This endpoint has no parameter '${name}'.`, { parameter: name });
