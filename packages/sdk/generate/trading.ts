// The trading API: types of parameters and results, an interface of methods in groups, and the table of routes.
import { collectSchemas, listOperations, type Json, type Operation } from './schemas.ts';
import { BANNER, printTypes } from './types.ts';

/** `privateOrderCreate` is `OrderCreate`. */
const typeNameOf = ({ id }: Operation): string =>
  id.replace(/^(private)/, '').replace(/^./, (l) => l.toUpperCase());

const propertiesOf = ({ params }: Operation): readonly string[] =>
  Object.keys(params['properties'] as Json);

/** How much of an order is answered depends on a parameter; so does the form of a statement. */
const VARIANTS: Readonly<Record<string, string>> = {
  responseType: 'Placed<P>',
  format: 'StatementIn<P>',
};

const variantOf = (operation: Operation): string | undefined => {
  const name = propertiesOf(operation).find((property) => property in VARIANTS);
  const placesOne = 'allOf' in operation.result || name === 'format';
  return name !== undefined && placesOne ? VARIANTS[name] : undefined;
};

const isPlainRef = (schema: Json): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;

/** The type of an answer: a schema that has a name, a list of them, or a name of its own. */
function resultTypeOf(operation: Operation): { type: string; isOwn: boolean } {
  const { result } = operation;
  const titled = (schema: Json) =>
    isPlainRef(schema) ??
    (schema['type'] === 'object' && typeof schema['title'] === 'string'
      ? schema['title']
      : undefined);
  const name = titled(result);
  if (name !== undefined) return { type: name, isOwn: false };
  if (result['type'] === 'array') {
    const item = titled(result['items'] as Json);
    if (item !== undefined) return { type: `readonly ${item}[]`, isOwn: false };
  }
  return { type: `${typeNameOf(operation)}Result`, isOwn: true };
}

/** Every named schema of the trading API. */
export function tradingSchemas(document: Json): Record<string, Json> {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const { Envelope: _one, ErrorEnvelope: _other, ...resources } = schemas;
  const named: Record<string, unknown> = { ...resources };
  for (const operation of listOperations(document)) {
    if (propertiesOf(operation).length > 0)
      named[`${typeNameOf(operation)}Params`] = operation.params;
    const { type, isOwn } = resultTypeOf(operation);
    if (isOwn) named[`${typeNameOf(operation)}Result`] = operation.result;
    else if (typeof operation.result['title'] === 'string') named[type] = operation.result;
    // Gives the schemas inside it their names.
    else named[`${UNUSED}${typeNameOf(operation)}`] = operation.result;
  }
  const all = collectSchemas(named);
  for (const operation of listOperations(document)) {
    if (variantOf(operation) !== undefined) delete all[`${typeNameOf(operation)}Result`];
    delete all[`${UNUSED}${typeNameOf(operation)}`];
  }
  return all;
}

export const tradingTypes = async (schemas: Readonly<Record<string, Json>>): Promise<string> =>
  BANNER + (await printTypes(schemas));

const UNUSED = 'Unused';

export function tradingMethods(
  document: Json,
  nameOf: (path: string) => readonly [string, string],
): string {
  const operations = listOperations(document);
  const used = new Set<string>();
  const groups = new Map<string, string[]>();
  for (const operation of operations) {
    const [group, method] = nameOf(operation.path);
    const lines = groups.get(group) ?? [];
    groups.set(group, lines);
    lines.push(`    /** ${operation.summary} */`, `    ${signatureOf(operation, method, used)}`);
  }
  const body = [...groups]
    .map(([group, lines]) => `  readonly ${group}: {\n${lines.join('\n')}\n  };`)
    .join('\n');
  const routes = operations.map(({ method, path }) => `  '${method} ${path}',`).join('\n');
  return `${BANNER}import type { CallOptions, NoParams } from '../options.ts';
import type { Placed, StatementIn } from './variants.ts';
import type {
${[...used]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.generated.ts';

/** Every operation of the trading API, in groups. */
export interface TradingMethods {
${body}
}

/** Method and path of every operation. */
export const TRADING_ROUTES: readonly string[] = [
${routes}
];
`;
}

function signatureOf(operation: Operation, method: string, used: Set<string>): string {
  const name = typeNameOf(operation);
  const hasParams = propertiesOf(operation).length > 0;
  const isOptional = !('required' in operation.params);
  const paramsType = hasParams ? `${name}Params` : 'NoParams';
  if (hasParams) used.add(paramsType);
  const variant = variantOf(operation);
  const mark = isOptional ? '?' : '';
  if (variant !== undefined) {
    return `${method}<const P extends ${paramsType}>(params${mark}: P, options?: CallOptions): Promise<${variant}>;`;
  }
  const { type } = resultTypeOf(operation);
  used.add(type.replace(/^readonly (\w+)\[\]$/, '$1'));
  return `${method}(params${mark}: ${paramsType}, options?: CallOptions): Promise<${type}>;`;
}
