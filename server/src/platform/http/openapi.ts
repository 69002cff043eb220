// Builds an OpenAPI 3.1 document from declared operations. It knows the format, not the products: each product
// passes in its responses, with its envelope and errors.
import type { TObject, TSchema } from 'typebox';

/** A schema as it stands in a document: plain JSON. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export interface OpenApiResponse {
  readonly description: string;
  readonly schema: object;
  /** Media types besides JSON, whose content is text. */
  readonly alsoAs?: readonly string[];
  /** Names of `components.headers`. */
  readonly headers?: readonly string[];
  /** A recorded answer. */
  readonly example?: unknown;
}

export interface OpenApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Where it is, if not where the others are. */
  readonly serverUrl?: string;
  /** Parameters of the query string. */
  readonly query?: TObject;
  /** Headers that the caller may send, besides those of its credentials. */
  readonly requestHeaders?: TObject;
  /** Parameters of the body, in each of the media types. */
  readonly body?: { readonly schema: TObject; readonly mediaTypes: readonly string[] };
  /** All of these together; none means that the operation is open to everybody. */
  readonly security?: readonly string[];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly serverUrl: string;
  readonly tags: readonly { name: string; description: string }[];
  readonly operations: readonly OpenApiOperation[];
  /** Named schemas; where one occurs inside another, by its title, it is referenced. */
  readonly schemas: readonly TSchema[];
  readonly headers: Readonly<Record<string, { description: string; schema: SchemaJson }>>;
  readonly securitySchemes: Readonly<Record<string, SchemaJson>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export function buildOpenApi(options: OpenApiOptions): OpenApiDocument {
  const names = new Set(options.schemas.map((schema) => titleOf(schema)));
  const refer = (schema: unknown) => withReferences(schema, names);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of options.operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = toOperation(operation, refer);
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version, description: options.description },
    servers: [{ url: options.serverUrl }],
    tags: options.tags,
    paths,
    components: {
      schemas: Object.fromEntries(
        options.schemas.map((schema) => [titleOf(schema), mapMembers(schema, refer)]),
      ),
      headers: options.headers,
      securitySchemes: options.securitySchemes,
    },
  };
}

function toOperation(operation: OpenApiOperation, refer: (schema: unknown) => unknown) {
  const { query, requestHeaders, body, security, description } = operation;
  const parameters = [
    ...(query === undefined ? [] : toParameters(query, 'query', refer)),
    ...(requestHeaders === undefined ? [] : toParameters(requestHeaders, 'header', refer)),
  ];
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    tags: [operation.tag],
    ...(operation.serverUrl === undefined ? {} : { servers: [{ url: operation.serverUrl }] }),
    ...(query === undefined && requestHeaders === undefined ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              body.mediaTypes.map((type) => [type, { schema: refer(body.schema) }]),
            ),
          },
        }),
    security:
      security === undefined || security.length === 0
        ? []
        : [Object.fromEntries(security.map((name) => [name, []]))],
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        {
          description: response.description,
          headers: Object.fromEntries(
            (response.headers ?? []).map((name) => [
              name,
              { $ref: `#/components/headers/${name}` },
            ]),
          ),
          content: {
            'application/json': {
              schema: refer(response.schema),
              ...(response.example !== undefined && { example: response.example }),
            },
            ...Object.fromEntries(
              (response.alsoAs ?? []).map((type) => [type, { schema: { type: 'string' } }]),
            ),
          },
        },
      ]),
    ),
  };
}

function toParameters(
  declaredOnes: TObject,
  place: 'query' | 'header',
  refer: (schema: unknown) => unknown,
) {
  const required = new Set<string>(declaredOnes.required);
  return Object.entries(declaredOnes.properties).map(([name, declared]) => {
    const { description, ...schema } = plain(declared);
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: refer(schema),
    };
  });
}

/** TypeBox keeps non-enumerable notes on a schema; only plain JSON is copied. */
function plain(schema: unknown): Record<string, unknown> {
  return { ...(schema as Record<string, unknown>) };
}

function titleOf(schema: unknown): string {
  const { title } = plain(schema);
  if (typeof title !== 'string') throw new Error('A named schema must have a title.');
  return title;
}

function withReferences(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { title } = plain(value);
    if (typeof title === 'string' && names.has(title)) {
      return { $ref: `#/components/schemas/${title}` };
    }
  }
  return mapMembers(value, (member) => withReferences(member, names));
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
