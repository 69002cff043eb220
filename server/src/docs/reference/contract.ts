// The parts of an OpenAPI document that pages are made of.

/** JSON Schema, as far as the contracts use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Content {
  readonly schema: Schema;
  readonly encoding?: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  /** Instead of `schema` when the value is sent as JSON. */
  readonly content?: Readonly<Record<string, Content>>;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Record<string, Content> }>
  >;
}

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const PREFIX = /^#\/(?:components\/schemas|\$defs)\//;

/** Of a document whose schemas refer to nothing outside themselves, or to these. */
export const contractOf = (schemas: Readonly<Record<string, Schema>> = {}): Contract => ({
  paths: {},
  components: { schemas },
});

/** Follows a reference, and joins the parts of `allOf`. */
export function resolve(schema: Schema, contract: Contract): Schema {
  if (schema.$ref !== undefined) {
    const found = contract.components.schemas[schema.$ref.replace(PREFIX, '')];
    if (found === undefined) throw new Error(`The contract has no schema ${schema.$ref}.`);
    return resolve(found, contract);
  }
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => joinOptions(resolve(part, contract), contract));
  return { ...schema, type: 'object', ...joined(parts), required: parts.flatMap(requiredOf) };
}

const requiredOf = ({ required = [] }: Schema): readonly string[] => required;

const joined = (parts: readonly Schema[]): Pick<Schema, 'properties'> => ({
  properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)) as Record<
    string,
    Schema
  >,
});

/** All fields that one of several forms may have; those that every form has are required. */
function joinOptions(schema: Schema, contract: Contract): Schema {
  if (schema.anyOf === undefined) return schema;
  const options = schema.anyOf.map((option) => resolve(option, contract));
  const [first = {}, ...others] = options;
  const required = requiredOf(first).filter((name) =>
    others.every((other) => requiredOf(other).includes(name)),
  );
  return { type: 'object', ...joined(options), required };
}
