// An example of a value, made from its schema, so that the page cannot show what does not exist.
import type { OpenApiDocument } from '../../platform/http/openapi.ts';
import { EXAMPLES } from './examples.ts';

interface Shape {
  readonly title?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

const REFERENCE = '#/components/schemas/';

export function exampleOf(schema: unknown, document: OpenApiDocument): unknown {
  const shape = schema as Shape;
  const inner = (part: Shape) => exampleOf(part, document);
  if (shape.$ref !== undefined) {
    return exampleOf(document.components.schemas[shape.$ref.slice(REFERENCE.length)], document);
  }
  if (shape.examples !== undefined) return shape.examples[0];
  const written = EXAMPLES[shape.title ?? ''];
  if (written !== undefined) return written;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf?.[0] !== undefined) return inner(shape.anyOf[0]);
  if (shape.allOf !== undefined) {
    return Object.assign({}, ...shape.allOf.map(inner)) as unknown;
  }
  switch (shape.type) {
    case 'object': {
      const named = Object.entries(shape.properties ?? {});
      const free = Object.values(shape.patternProperties ?? {}).map((part) => [
        keyOf(inner(part)),
        part,
      ]);
      return Object.fromEntries(
        [...named, ...(free as [string, Shape][])].map(([name, part]) => [name, inner(part)]),
      );
    }
    case 'array':
      return shape.items === undefined ? [] : [inner(shape.items)];
    case 'boolean':
      return true;
    case 'integer':
      return 1;
    case 'string':
      return '';
    default:
      return null;
  }
}

/** A map's example entry is filed under its own symbol, as the real ones are. */
function keyOf(value: unknown): string {
  const symbol = Object.values(value as Record<string, unknown>)[0];
  return typeof symbol === 'string' ? symbol : 'key';
}
