// Generates the OpenAPI document of the chat API from the declarations of its routes.
import { IsLiteral, IsOptional, IsString, IsUnion, type TObject, type TSchema } from 'typebox';
import { ZULIP_VERSION } from '../version.ts';
import type { ChatRoute } from './route.ts';

type Json = Record<string, unknown>;

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const ERROR = { $ref: '#/components/responses/Error' };

/** Recorded answers, by the name of the route. */
export type ChatExamples = Readonly<Record<string, { readonly answer: unknown }>>;

export function chatOpenApi(
  routes: readonly ChatRoute[],
  origin: string,
  examples: ChatExamples = {},
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(?:int|path)\}/g, '}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, examples) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rialto chat API',
      version: ZULIP_VERSION.zulip_version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${origin}/api/v1` }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'basic',
          description: "The user's address and API key.",
        },
      },
      schemas: { Error: ERROR_SCHEMA },
      responses: {
        Error: {
          description: 'Refused. The code is the contract; the text is for people.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  };
}

const DESCRIPTION = [
  'Parameters may come in the query string, in a urlencoded body or in a multipart body, whatever the',
  'method; the body wins. Strings are sent as they are, everything else as JSON text. Names that a',
  'route does not know are listed in `ignored_parameters_unsupported` of the answer.',
].join(' ');

const ERROR_SCHEMA = {
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { const: 'error' },
    msg: { type: 'string' },
    code: { type: 'string' },
  },
};

function operation(route: ChatRoute, examples: ChatExamples): Json {
  const example = examples[route.name]?.answer;
  const { name, summary, method, params, allow } = route;
  const inQuery = method === 'GET';
  const parameters = [...pathParameters(route.path), ...(inQuery ? queryParameters(params) : [])];
  return {
    operationId: name,
    summary,
    ...(allow === 'anyone' ? { security: [] } : { description: whoMayCall(route) }),
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && Object.keys(params.properties).length > 0 && { requestBody: form(params) }),
    responses: {
      200: {
        description: 'Done.',
        content: {
          'application/json': {
            schema: success(route.returns),
            ...(example !== undefined && { example }),
          },
        },
      },
      '4XX': ERROR,
      '5XX': ERROR,
    },
  };
}

const whoMayCall = ({ allow, bots }: ChatRoute): string =>
  `Least role: ${allow}.${bots ? '' : ' Bots may not call this.'}`;

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)(:int)?(?::path)?\}/g)].map(([, name, int]) => ({
    name,
    in: 'path',
    required: true,
    schema: int === undefined ? { type: 'string' } : { type: 'integer', minimum: 0 },
  }));
}

function queryParameters(params: TObject): Json[] {
  return Object.entries(params.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !IsOptional(schema),
    ...(isPlainText(schema)
      ? { schema: plain(schema) }
      : { content: { 'application/json': { schema: plain(schema) } } }),
  }));
}

function form(params: TObject): Json {
  const entries = Object.entries(params.properties);
  const required = entries.filter(([, schema]) => !IsOptional(schema)).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, plain(property)])),
    ...(required.length > 0 && { required }),
  };
  const encoding = Object.fromEntries(
    entries
      .filter(([, property]) => !isPlainText(property))
      .map(([name]) => [name, { contentType: 'application/json' }]),
  );
  const content = { schema, ...(Object.keys(encoding).length > 0 && { encoding }) };
  return { required: required.length > 0, content: { [FORM]: content, [MULTIPART]: content } };
}

function success(returns: TObject): Json {
  const { properties, required = [] } = plain(returns) as { properties: Json; required?: string[] };
  return {
    type: 'object',
    required: ['result', 'msg', ...required],
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ...properties,
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
    },
  };
}

/** Whether the value is sent without JSON quotes. */
function isPlainText(schema: TSchema): boolean {
  if (IsString(schema)) return true;
  if (!IsUnion(schema)) return false;
  return schema.anyOf.every((option) => IsLiteral(option) && typeof option.const === 'string');
}

/** The schema as JSON, without the keywords that only the server uses. */
function plain(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
  );
}
