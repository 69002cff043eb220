// Converts the text of form fields to the types of a route's declared parameters. Strings are raw; everything else is
// JSON. Parameters are checked in the order of their declaration, and the first error is the answer.
import {
  IsArray,
  IsBoolean,
  IsInteger,
  IsLiteral,
  IsNull,
  IsNumber,
  IsObject,
  IsOptional,
  IsRecord,
  IsString,
  IsUnion,
  Type,
  type TArray,
  type TObject,
  type TRecord,
  type TSchema,
  type TUnion,
} from 'typebox';
import { badRequest, confusingParameter, missingParameter } from './errors.ts';
import type { FormValues } from './form.ts';
import { ITEMS_MAX, JsonNumber, parseJson, type JsonNode } from './json.ts';

/** Our own keywords beside those of JSON Schema, for values in forms. */
export interface FormHints {
  /** An older name of the parameter, still accepted. */
  'x-alias'?: string;
  /** The text may also come as a JSON string, in quotes. */
  'x-quoted'?: boolean;
  /** White space around the text is removed. */
  'x-strip'?: boolean;
  /** The feature refuses NUL itself, in its own words. */
  'x-nul'?: boolean;
  /** Whether earlier parameters make this one meaningless; then it is ignored, whatever its value. */
  'x-ignored'?: (before: Readonly<Record<string, unknown>>) => boolean;
  /** Whether earlier parameters make this value meaningless; then it is reported as unsupported. */
  'x-unsupported'?: (before: Readonly<Record<string, unknown>>, value: unknown) => boolean;
  /** The refusal of an unknown value says that it is not in a list. */
  'x-listed'?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  additionalProperties?: boolean;
}

/** Accepted on every route: the client's own name for itself. */
const ALWAYS_READ = 'client';

export interface ParsedParams {
  readonly values: Record<string, unknown>;
  /** The names of unsupported parameters, sorted. */
  readonly ignored: readonly string[];
}

export function parseParams(schema: TObject, form: FormValues): ParsedParams {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const unread = new Set(form.keys());
  unread.delete(ALWAYS_READ);
  for (const [name, property] of Object.entries(schema.properties)) {
    const {
      'x-alias': alias,
      'x-ignored': isIgnored,
      'x-unsupported': isUnsupported,
    } = hintsOf(property);
    if (isIgnored?.(values) === true) {
      unread.delete(name);
      if (alias !== undefined) unread.delete(alias);
      continue;
    }
    const text = takeText(name, alias, form, unread);
    const value = text === undefined ? undefined : parseText(text, property, name);
    if (isUnsupported?.(values, value) === true) unread.add(name);
    else if (value !== undefined) values[name] = value;
    else if (!IsOptional(property)) throw missingParameter(name);
  }
  return { values, ignored: [...unread].sort() };
}

function takeText(
  name: string,
  alias: string | undefined,
  form: FormValues,
  unread: Set<string>,
): string | undefined {
  unread.delete(name);
  const text = form.get(name);
  if (alias === undefined) return text;
  unread.delete(alias);
  const aliased = form.get(alias);
  if (text !== undefined && aliased !== undefined) throw confusingParameter(name, alias);
  return text ?? aliased;
}

/** The parsed value, or undefined for "not given", which `null` means for an optional parameter. */
function parseText(text: string, schema: TSchema, name: string): unknown {
  const plain = withoutNull(schema);
  const isNullable = plain !== schema;
  if (isRawText(plain)) {
    if (isNullable && text === 'null') return null;
    const quoted = hintsOf(plain)['x-quoted'] === true ? unquote(text) : undefined;
    return check(quoted ?? text, plain, name);
  }
  const refuseLength = () => {
    throw tooManyItems(name, ITEMS_MAX);
  };
  const parsed = parseJson(text, refuseLength);
  // The value may be JSON or a bare word.
  const node = parsed === undefined && hintsOf(plain)['x-quoted'] === true ? text : parsed;
  if (node === undefined) throw badRequest(`${name} is not valid JSON`);
  if (node === null) {
    if (isNullable) return null;
    if (IsOptional(schema)) return undefined;
  }
  return check(node, plain, name);
}

function unquote(text: string): string | undefined {
  const node = text.startsWith('"') ? parseJson(text) : undefined;
  return typeof node === 'string' ? node : undefined;
}

/** The length limit of a list whose schema has none. */
const LIST_ITEMS_MAX = 10_000;

const tooManyItems = (path: string, limit: number) =>
  badRequest(`${path} is too long (limit: ${limit} items)`);

const hintsOf = (schema: TSchema): FormHints => schema;

function withoutNull(schema: TSchema): TSchema {
  if (!IsUnion(schema)) return schema;
  const rest = schema.anyOf.filter((option) => !IsNull(option));
  if (rest.length === schema.anyOf.length) return schema;
  return rest.length === 1 ? (rest[0] as TSchema) : { ...schema, anyOf: rest };
}

/** Strings and choices between strings travel without JSON quotes. */
function isRawText(schema: TSchema): boolean {
  if (IsString(schema)) return true;
  return IsUnion(schema) && schema.anyOf.every(isTextLiteral);
}

const isTextLiteral = (schema: TSchema): boolean =>
  IsLiteral(schema) && typeof schema.const === 'string';

/** Converts `node` to plain values by `schema`, or throws a refusal that names the fault at `path`. */
function check(node: JsonNode, schema: TSchema, path: string): unknown {
  if (IsString(schema)) return checkString(node, hintsOf(schema), path);
  if (IsInteger(schema) || IsNumber(schema)) return checkNumber(node, schema, path);
  if (IsBoolean(schema)) {
    if (typeof node !== 'boolean') throw badRequest(`${path} is not a boolean`);
    return node;
  }
  if (IsArray(schema)) return checkArray(node, schema, path);
  if (IsObject(schema)) return checkObject(node, schema, path);
  if (IsUnion(schema)) return checkUnion(node, schema, path);
  if (IsLiteral(schema)) {
    if (node !== schema.const) throw badRequest(`Invalid ${path}`);
    return node;
  }
  return IsRecord(schema) ? checkRecord(node, schema, path) : toPlain(node, path);
}

function checkString(node: JsonNode, hints: FormHints, path: string): string {
  if (typeof node !== 'string') throw badRequest(`${path} is not a string`);
  const text = hints['x-strip'] === true ? node.trim() : node;
  checkCharacters(text, path, hints['x-nul'] === true);
  const { minLength = 0, maxLength = Infinity, pattern } = hints;
  if (text.length < minLength) {
    throw badRequest(minLength === 1 ? `${path} cannot be blank` : `${path} is too short.`);
  }
  // A character outside the basic plane is one character to people, but two units here.
  if (text.length > maxLength && Array.from(text).length > maxLength) {
    throw badRequest(`${path} is too long (limit: ${maxLength} characters)`);
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    throw badRequest(`${path} has invalid format`);
  }
  return text;
}

/** The database can store neither NUL nor half of a surrogate pair, and no client means them. */
function checkCharacters(text: string, path: string, allowsNul: boolean): void {
  if (!allowsNul && text.includes('\0')) throw badRequest(`${path} must not contain null bytes`);
  if (!text.isWellFormed()) throw badRequest(`${path} is not valid Unicode text`);
}

function checkNumber(node: JsonNode, schema: TSchema, path: string): number {
  const isInteger = IsInteger(schema);
  if (!(node instanceof JsonNumber) || (isInteger && !node.isWhole)) {
    throw badRequest(`${path} is not ${isInteger ? 'an integer' : 'a float'}`);
  }
  // Beyond these bounds numbers are not exact; a schema may set other bounds.
  const bound = isInteger ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  const { minimum = -bound, maximum = bound } = hintsOf(schema);
  if (node.value < minimum) throw badRequest(`${path} is too small`);
  if (node.value > maximum) throw badRequest(`${path} is too large`);
  return node.value;
}

function checkArray(node: JsonNode, schema: TArray, path: string): unknown[] {
  if (!Array.isArray(node)) throw badRequest(`${path} is not a list`);
  const { maxItems = LIST_ITEMS_MAX } = hintsOf(schema);
  if (node.length > maxItems) throw tooManyItems(path, maxItems);
  return (node as readonly JsonNode[]).map((item, index) =>
    check(item, schema.items, `${path}[${index}]`),
  );
}

function checkObject(node: JsonNode, schema: TObject, path: string): Record<string, unknown> {
  if (!(node instanceof Map)) throw badRequest(`${path} is not a dict`);
  const fields = node as ReadonlyMap<string, JsonNode>;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties)) {
    const at = `${path}["${name}"]`;
    const field = fields.get(name);
    if (field !== undefined) object[name] = check(field, property, at);
    else if (!IsOptional(property)) throw badRequest(`${at} field is missing: Field required`);
  }
  if (hintsOf(schema).additionalProperties === false) {
    for (const name of fields.keys()) {
      if (Object.hasOwn(schema.properties, name)) continue;
      throw badRequest(`Argument "${name}" at ${path}["${name}"] is unexpected`);
    }
  }
  return object;
}

/** The caller chooses the names; all values have one schema. */
function checkRecord(node: JsonNode, schema: TRecord, path: string): Record<string, unknown> {
  if (!(node instanceof Map)) throw badRequest(`${path} is not a dict`);
  const [values = Type.Unknown()] = Object.values<TSchema>(schema.patternProperties);
  const record = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of node as ReadonlyMap<string, JsonNode>) {
    checkCharacters(name, path, false);
    record[name] = check(value, values, `${path}["${name}"]`);
  }
  return record;
}

function checkUnion(node: JsonNode, schema: TUnion, path: string): unknown {
  const plain = withoutNull(schema);
  if (plain !== schema) return node === null ? null : check(node, plain, path);
  const isListed = hintsOf(schema)['x-listed'] === true;
  const literals = schema.anyOf.filter((option) => IsLiteral(option));
  if (literals.length === schema.anyOf.length) {
    const value = node instanceof JsonNumber ? node.value : node;
    if (literals.some((option) => option.const === value)) return value;
    const isNumeric = literals.every((option) => typeof option.const === 'number');
    if (isNumeric && !(node instanceof JsonNumber && node.isWhole)) {
      throw badRequest(`${path} is not an integer`);
    }
    const reason = isNumeric || isListed ? ': Value error, Not in the list of possible values' : '';
    throw badRequest(`Invalid ${path}${reason}`);
  }
  let first: unknown;
  for (const option of schema.anyOf) {
    try {
      return check(node, option, `${path}["${labelOf(option)}"]`);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** The name of an alternative in the refusal of a value that fits none. */
function labelOf(schema: TSchema): string {
  if (IsInteger(schema)) return 'int';
  if (IsString(schema)) return 'str';
  if (IsBoolean(schema)) return 'bool';
  if (IsNumber(schema)) return 'float';
  if (IsArray(schema)) return `list[${labelOf(schema.items)}]`;
  return IsLiteral(schema) ? `literal[${String(schema.const)}]` : 'dict';
}

/** For values whose shape the schema leaves open. */
function toPlain(node: JsonNode, path: string): unknown {
  if (node instanceof JsonNumber) return node.value;
  if (typeof node === 'string') checkCharacters(node, path, false);
  if (Array.isArray(node)) {
    if (node.length > LIST_ITEMS_MAX) throw tooManyItems(path, LIST_ITEMS_MAX);
    return (node as readonly JsonNode[]).map((item, index) => toPlain(item, `${path}[${index}]`));
  }
  if (!(node instanceof Map)) return node;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of node as ReadonlyMap<string, JsonNode>) {
    checkCharacters(name, path, false);
    object[name] = toPlain(value, `${path}["${name}"]`);
  }
  return object;
}
