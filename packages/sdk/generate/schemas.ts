// Turns the contracts into plain lists of operations and of named schemas. What only a server needs is left out, so that
// the generated types stay small and read well.

export type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** One object schema with every parameter, wherever it is sent. */
  readonly params: Json;
  readonly result: Json;
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'];
/** Added by the client itself, with every signed request. */
const ADDED_BY_CLIENT = new Set(['timestamp', 'recvWindow', 'nonce']);
/** Keywords that no type can express. */
const NOT_TYPES = new Set(
  'examples example pattern minLength maxLength minItems maxItems minimum maximum format default uniqueItems'.split(
    ' ',
  ),
);

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((found, key) => (found as Json | undefined)?.[key], value);

export function listOperations(document: Json): Operation[] {
  const found: Operation[] = [];
  for (const [path, verbs] of Object.entries(document['paths'] as Json)) {
    for (const method of VERBS) {
      const operation = at(verbs, method) as Json | undefined;
      if (operation === undefined) continue;
      found.push({
        id: operation['operationId'] as string,
        method: method.toUpperCase(),
        path,
        summary: operation['summary'] as string,
        params: paramsOf(operation),
        result: resultOf(operation),
      });
    }
  }
  return found;
}

function paramsOf(operation: Json): Json {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const parameter of (operation['parameters'] ?? []) as readonly Json[]) {
    const name = parameter['name'] as string;
    if (parameter['in'] === 'header' || ADDED_BY_CLIENT.has(name)) continue;
    const schema = parameter['schema'] ?? at(parameter, 'content', 'application/json', 'schema');
    const description = parameter['description'] ?? at(schema, 'description');
    properties[name] = { ...(schema as Json), ...(description !== undefined && { description }) };
    if (parameter['required'] === true) required.push(name);
  }
  const body = Object.values((at(operation, 'requestBody', 'content') ?? {}) as Json)[0];
  const schema = at(body, 'schema') as Json | undefined;
  for (const [name, property] of Object.entries((schema?.['properties'] ?? {}) as Json)) {
    if (!ADDED_BY_CLIENT.has(name)) properties[name] = property;
  }
  for (const name of (schema?.['required'] ?? []) as readonly string[]) {
    if (!ADDED_BY_CLIENT.has(name)) required.push(name);
  }
  const asked = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return allowNumbers(asked) as Json;
}

/** Whole numbers travel as digits, but a caller may also write them as numbers. */
function allowNumbers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowNumbers);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, allowNumbers(value)]),
  );
  const isInteger = copy['type'] === 'string' && INTEGERS.has(copy['pattern'] as string);
  return isInteger ? { ...copy, type: ['string', 'integer'] } : copy;
}

const INTEGERS = new Set(['^(0|[1-9][0-9]{0,14})$', '^[0-9]{13}$']);

function resultOf(operation: Json): Json {
  const content = at(operation, 'responses', '200', 'content');
  const schema = at(content, 'application/json', 'schema') as Json;
  const inEnvelope = at(at(schema, 'allOf', '1'), 'properties', 'result');
  return (inEnvelope ?? withoutEnvelope(schema)) as Json;
}

/** The chat's `result` and `msg` say only that there was no error. */
function withoutEnvelope(schema: Json): Json {
  const properties = schema['properties'] as Json | undefined;
  if (at(properties, 'result', 'const') !== 'success') return schema;
  const { result: _result, msg: _msg, ...rest } = properties as Json;
  const required = (schema['required'] as readonly string[]).filter(
    (name) => name !== 'result' && name !== 'msg',
  );
  const { required: _all, ...other } = schema;
  return { ...other, properties: rest, ...(required.length > 0 && { required }) };
}

/** Names every schema that has a title, and keeps only what types can say. */
export function collectSchemas(named: Readonly<Record<string, unknown>>): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  const visit = (value: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false));
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = value as Json;
    const plain = strip(rest);
    if (typeof title !== 'string' || isRoot || rest['type'] !== 'object') return plain;
    schemas[title] ??= plain;
    return { $ref: `#/components/schemas/${title}` };
  };
  const strip = (schema: Json): Json =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !NOT_TYPES.has(key) && !key.startsWith('x-'))
        .map(([key, value]) => [
          key,
          key === 'properties'
            ? Object.fromEntries(
                Object.entries(value as Json).map(([name, one]) => [name, visit(one, false)]),
              )
            : visit(value, false),
        ]),
    );
  for (const [name, schema] of Object.entries(named)) {
    schemas[name] = visit(schema, true) as Json;
  }
  return schemas;
}
