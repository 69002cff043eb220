// Writes TypeScript for named schemas, by openapi-typescript.
import openapiTS, { astToString } from 'openapi-typescript';
import type { Json } from './schemas.ts';

export const BANNER = `// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen\n`;

/** `omitted` names schemas that others refer to and another file has. */
export async function printTypes(
  schemas: Readonly<Record<string, Json>>,
  omitted: readonly string[] = [],
): Promise<string> {
  const nodes = await openapiTS(
    {
      openapi: '3.1.0',
      info: { title: 'Schemas', version: '1' },
      paths: {},
      components: { schemas },
    } as never,
    {
      immutable: true,
      silent: true,
      emptyObjectsUnknown: true,
      defaultNonNullable: false,
    },
  );
  return listMembers(astToString(nodes))
    .filter(({ name }) => !omitted.includes(name))
    .flatMap(({ lines }) => lines)
    .concat('')
    .join('\n')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll(/\/\*\* @description /g, '/** ')
    .replaceAll(/^( *)\* @description /gm, '$1* ')
    .replaceAll(/^ *\/\*\* @constant \*\/\n/gm, '')
    .replaceAll(/^ *\* @constant\n/gm, '')
    .replaceAll(/^ *\/\*\*\s+\* @enum \{\w+\}\s+\*\/\n/gm, '')
    .replaceAll(/^ *\/\*\* @enum \{\w+\} \*\/\n/gm, '')
    .replaceAll(/^ *\* @enum \{\w+\}\n/gm, '');
}

interface Member {
  readonly name: string;
  readonly lines: readonly string[];
}

/**
 * Makes every member of `components.schemas` a type of its own, so that an editor shows `Order` and not a path through
 * the document.
 */
function listMembers(text: string): Member[] {
  const all = text.split('\n');
  const inside = all.slice(all.indexOf('    schemas: {') + 1);
  const members: Member[] = [];
  let name = '';
  let isObject = false;
  let lines: string[] = [];
  for (const line of inside.slice(0, inside.indexOf('    };'))) {
    // Each member is indented by eight.
    const own = line.slice(8);
    const start = /^readonly (\w+): (.*)$/.exec(own);
    if (start !== null) {
      const [, member = '', rest = ''] = start;
      name = member;
      isObject = rest === '{';
      lines.push(isObject ? `export interface ${name} {` : `export type ${name} = ${rest}`);
    } else lines.push(isObject && own === '};' ? '}' : own);
    const isLast = /^\S.*;$/.test(own) && name !== '';
    if (!isLast) continue;
    members.push({ name, lines });
    name = '';
    lines = [];
  }
  return members;
}
