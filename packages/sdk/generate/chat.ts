// The chat API: types of parameters, results and events, an interface of methods, and the table of routes.
import { collectSchemas, listOperations, type Json, type Operation } from './schemas.ts';
import { BANNER, printTypes } from './types.ts';

const camel = (id: string): string =>
  id.replaceAll(/-(\w)/g, (_mark, letter: string) => letter.toUpperCase());
const pascal = (id: string): string => camel(`-${id.replaceAll(/[/_]/g, '-')}`);

const propertiesOf = ({ params }: Operation): readonly string[] =>
  Object.keys(params['properties'] as Json);

/** Their body is one file, which the contract has no schema for. */
const UPLOADS = new Set(['upload-file', 'set-avatar', 'upload-custom-emoji']);

const hasOwnResult = ({ result }: Operation): boolean =>
  Object.keys(result['properties'] ?? {}).some((name) => name !== 'ignored_parameters_unsupported');

/** Recipients may also be written as what they are, an id or a list: the client makes JSON of it. */
function withRecipients(params: Json): Json {
  const properties = params['properties'] as Readonly<Record<string, Json>>;
  const { to } = properties;
  if (to?.['type'] !== 'string') return params;
  const one = [{ type: 'string' }, { type: 'integer' }];
  const recipients = {
    anyOf: [...one, { type: 'array', items: { anyOf: one } }],
    description: 'A channel by name or id, or people by ids or addresses.',
  };
  return { ...params, properties: { ...properties, to: recipients } };
}

/** Events of the venue hold its resources, which `shared` has already. */
export async function chatTypes(
  document: Json,
  events: Json,
  shared: Readonly<Record<string, Json>>,
): Promise<string> {
  const named: Record<string, unknown> = {};
  for (const operation of listOperations(document)) {
    if (propertiesOf(operation).length > 0)
      named[`${pascal(operation.id)}Params`] = withRecipients(operation.params);
    if (hasOwnResult(operation)) named[`${pascal(operation.id)}Result`] = operation.result;
  }
  const shapes = events['$defs'] as Readonly<Record<string, Json>>;
  for (const [name, shape] of Object.entries(shapes)) {
    const { properties, required } = shape as { properties: Json; required?: readonly string[] };
    named[`${pascal(name)}Event`] = {
      ...shape,
      properties: { id: { type: 'integer' }, ...properties },
      required: ['id', ...(required ?? [])],
    };
  }
  const union = Object.keys(shapes).map((name) => `  | ${pascal(name)}Event`);
  const schemas = collectSchemas(named);
  const imported = Object.keys(schemas).filter((name) => name in shared);
  for (const name of imported) {
    if (JSON.stringify(schemas[name]) !== JSON.stringify(shared[name])) {
      throw new Error(`The contracts of chat and trading differ in what they call ${name}.`);
    }
  }
  const imports =
    imported.length === 0
      ? ''
      : `import type { ${imported.join(', ')} } from '../trading/types.generated.ts';\n`;
  return `${BANNER}${imports}${await printTypes(schemas, imported)}
/** Every event that a queue can deliver. */
export type QueueEvent =
${union.join('\n')};
`;
}

export function chatMethods(document: Json): string {
  const operations = listOperations(document);
  const used = new Set<string>();
  const lines = operations.flatMap((operation) => [
    `  /** ${operation.summary} */`,
    `  ${signatureOf(operation, used)}`,
  ]);
  const routes = operations.map(({ id, method, path }) => `  ${camel(id)}: '${method} ${path}',`);
  return `${BANNER}import type { CallOptions, NoParams, NoResult, Upload } from '../options.ts';
import type {
${[...used]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.generated.ts';

/** Every operation of the chat API. */
export interface ChatMethods {
${lines.join('\n')}
}

/** Method and path of every operation. */
export const CHAT_ROUTES: Readonly<Record<keyof ChatMethods, string>> = {
${routes.join('\n')}
};
`;
}

function signatureOf(operation: Operation, used: Set<string>): string {
  const { id, params } = operation;
  const hasParams = propertiesOf(operation).length > 0;
  let paramsType = hasParams ? `${pascal(id)}Params` : 'NoParams';
  if (hasParams) used.add(paramsType);
  const isUpload = UPLOADS.has(id);
  if (isUpload) paramsType = hasParams ? `${paramsType} & Upload` : 'Upload';
  const resultType = hasOwnResult(operation) ? `${pascal(id)}Result` : 'NoResult';
  if (resultType !== 'NoResult') used.add(resultType);
  const mark = 'required' in params || isUpload ? '' : '?';
  return `${camel(id)}(params${mark}: ${paramsType}, options?: CallOptions): Promise<${resultType}>;`;
}
