// The operations of a contract, as pages, samples and recordings need them.
import type { Operation, OperationParameter } from '../site/operation.ts';
import type { SourceInput } from '../site/page.ts';
import type { Contract, ContractOperation, Schema } from './contract.ts';
import { groupOf } from './groups.ts';
import { findMeaning } from './parameter-meanings.ts';
import { typeOf, valuesOf } from './shape.ts';

export interface Endpoint extends Operation {
  /** Below `/docs/`. */
  readonly page: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** The answer with status 200. */
  readonly answer: Schema;
  /** Codes of the errors that the contract lists for it; for the chat there is one list for all. */
  readonly errors: readonly string[];
}

export type Api = Operation['api'];

export interface Book {
  readonly api: Api;
  readonly contract: Contract;
  readonly endpoints: readonly Endpoint[];
}

const FILES: Readonly<Record<Api, { readonly file: string; readonly prefix: string }>> = {
  trading: { file: 'contracts/trading.openapi.json', prefix: '/v1' },
  chat: { file: 'contracts/chat.openapi.json', prefix: '/api/v1' },
  administration: {
    file: 'contracts/administration.openapi.json',
    prefix: '/json/v1/admin',
  },
};

/** Added to every signed request by whoever signs it, and explained on one page. */
const OF_SIGNING = new Set(['timestamp', 'recvWindow', 'nonce', 'X-SVC-SIGNATURE-VERSION']);
/** These take a file, which stands beside the parameters in a multipart body. */
const FILE_OPERATIONS = new Set(['upload-file', 'set-avatar', 'upload-custom-emoji']);

export function readBook(api: Api, { readFile }: Pick<SourceInput, 'readFile'>): Book {
  const { file, prefix } = FILES[api];
  const contract = JSON.parse(readFile(file)) as Contract;
  const endpoints = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      toEndpoint(api, contract, { method: method.toUpperCase(), prefix, path, operation }),
    ),
  );
  return { api, contract, endpoints };
}

interface Place {
  readonly method: string;
  readonly prefix: string;
  readonly path: string;
  readonly operation: ContractOperation;
}

function toEndpoint(api: Api, contract: Contract, place: Place): Endpoint {
  const { method, prefix, path, operation } = place;
  const { operationId: id, summary, description = '' } = operation;
  const authentication = authenticationOf(api, operation);
  const notTried = reasonNotToTry(id, authentication);
  return {
    api,
    id,
    page: `${api}/${slugOf(id)}`,
    group: groupOf(api, path, id),
    method,
    // A route for sessions stands under its own prefix.
    path: `${authentication === 'session' && api === 'trading' ? '/json/v1' : prefix}${path}`,
    authentication,
    access: accessOf(authentication, description),
    parameters: parametersOf(operation, contract, authentication),
    isRead: method === 'GET',
    ...(notTried !== undefined && { notTried }),
    summary,
    description,
    answer: operation.responses['200']?.content?.['application/json']?.schema ?? {},
    errors: errorsOf(operation),
  };
}

/** `privateOrderCreate` is `order-create`, `send-message` stays. */
const slugOf = (id: string): string =>
  id
    .replace(/^(?:private|admin)(?=[A-Z])/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase();

function authenticationOf(api: Api, { security }: ContractOperation): Operation['authentication'] {
  if (security?.length === 0) return 'none';
  if (api === 'chat') return 'chat-key';
  if (api === 'administration') return 'session';
  return security?.some((one) => 'session' in one) === true ? 'session' : 'signature';
}

function reasonNotToTry(
  id: string,
  authentication: Operation['authentication'],
): string | undefined {
  if (authentication === 'session') return 'It needs the session of a browser that is signed in.';
  return FILE_OPERATIONS.has(id) ? 'It takes a file.' : undefined;
}

function accessOf(authentication: Operation['authentication'], description: string): string[] {
  if (authentication === 'none') return ['no credentials'];
  const [, role] = /Least role: (\w+)\./.exec(description) ?? [];
  const [, permission] = /permission `(\w+)`/.exec(description) ?? [];
  return [
    ...(role === undefined ? [] : [`${role} or higher`]),
    ...(permission === undefined ? [] : [`permission ${permission}`]),
    ...(authentication === 'session' ? ['session'] : []),
    ...(authentication === 'signature' ? ['signed'] : []),
    ...(description.includes('Bots may not call') ? ['not for bots'] : []),
    ...(description.includes('second factor each time') ? ['second factor'] : []),
  ];
}

function parametersOf(
  operation: ContractOperation,
  contract: Contract,
  authentication: Operation['authentication'],
): OperationParameter[] {
  const given = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema, content }) => {
      const asJson = content?.['application/json']?.schema;
      return parameter(name, place, asJson ?? schema ?? {}, contract, {
        isRequired: required,
        isJson: asJson !== undefined,
        description,
      });
    },
  );
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const required = new Set(body?.schema.required ?? []);
  const inBody = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) =>
    parameter(name, mediaType === 'application/json' ? 'json' : 'form', schema, contract, {
      isRequired: required.has(name),
      isJson: mediaType === 'application/json' ? isList(schema) : name in (body?.encoding ?? {}),
      description: undefined,
    }),
  );
  return [...given, ...inBody].filter(
    ({ name }) => authentication !== 'signature' || !OF_SIGNING.has(name),
  );
}

const isList = ({ type }: Schema): boolean => type === 'array' || type === 'object';

interface Known {
  readonly isRequired: boolean;
  readonly isJson: boolean;
  readonly description: string | undefined;
}

function parameter(
  name: string,
  place: OperationParameter['in'],
  schema: Schema,
  contract: Contract,
  { isRequired, isJson, description = schema.description }: Known,
): OperationParameter {
  const values = valuesOf(schema);
  const [example] = schema.examples ?? [];
  return {
    name,
    in: place,
    isRequired,
    type: typeOf(schema, contract),
    isJson,
    ...(values !== undefined && { values: values.map(asText) }),
    ...(example !== undefined && { example: asText(example) }),
    ...meaningOf(name, description),
  };
}

function meaningOf(name: string, described: string | undefined): { description?: string } {
  const description = described ?? findMeaning(name);
  return description === undefined ? {} : { description };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A contract of the venue lists the errors of a status as `4001 UNKNOWN_SYMBOL, …`. */
function errorsOf({ responses }: ContractOperation): string[] {
  return Object.values(responses).flatMap(({ description = '' }) =>
    [...description.matchAll(/\b(\d{4}) [A-Z]/g)].map(([, code = '']) => code),
  );
}
