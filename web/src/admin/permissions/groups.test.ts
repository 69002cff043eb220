import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PERMISSIONS } from '../../chat/channels/derive.ts';
import { PERMISSION_GROUPS } from './groups.ts';

interface Param {
  readonly properties?: { readonly new?: unknown };
}
interface Contract {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly patch: {
          readonly requestBody: {
            readonly content: Readonly<
              Record<
                string,
                { readonly schema: { readonly properties: Readonly<Record<string, Param>> } }
              >
            >;
          };
        };
      }
    >
  >;
}

/** The parameters that take a new value beside the old one: those are permissions. */
function permissionsOf(path: string): string[] {
  const file = new URL('../../../../contracts/chat.openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Contract;
  const [form] = Object.values(paths[path]?.patch.requestBody.content ?? {});
  return Object.entries(form?.schema.properties ?? {})
    .filter(([, { properties }]) => properties?.new !== undefined)
    .map(([name]) => name);
}

it('has every permission of the organization, each once', () => {
  const shown = Object.values(PERMISSION_GROUPS).flat();
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.toSorted()).toEqual(permissionsOf('/realm').toSorted());
});

it('every permission of a channel is on the page of the channel', () => {
  expect(PERMISSIONS.toSorted()).toEqual(permissionsOf('/streams/{stream_id}').toSorted());
});
