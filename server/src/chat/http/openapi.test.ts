import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { chatRoutes } from '../routes.ts';
import { chatOpenApi } from './openapi.ts';

const document = chatOpenApi(chatRoutes, 'https://chat.example.com');

it('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result).toMatchObject({ valid: true });
  expect(document['openapi']).toBe('3.1.0');
});

it('every route is in it, once, under a unique name', () => {
  const names = chatRoutes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
  const documented = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(documented.sort()).toEqual(names.sort());
});

it('marks the form fields that are JSON', () => {
  const paths = document['paths'] as Record<string, Record<string, object>>;
  expect(paths['/drafts']?.['post']).toMatchObject({
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          encoding: { drafts: { contentType: 'application/json' } },
        },
      },
    },
  });
  expect(paths['/fetch_api_key']?.['post']).toMatchObject({ security: [] });
});
