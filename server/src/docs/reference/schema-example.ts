// A value that fits a schema, for shapes that no recording has. It is shown as a form, never as a fact.
import { resolve, type Contract, type Schema } from './contract.ts';

export function exampleOf(given: Schema, contract: Contract): unknown {
  const schema = resolve(given, contract);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {}, contract);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          exampleOf(property, contract),
        ]),
      );
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, contract)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.pattern?.includes('[0-9]') === true ? '1' : 'text';
  }
}
