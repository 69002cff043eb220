// People and channels for the tests of channels and of all that hangs on them.
import { expect } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import type { TestServer } from '../../testing/server.ts';
import { chatClient, type ChatClient, type FormInput } from '../http/test-client.ts';

export interface Cast {
  readonly owner: Person;
  readonly admin: Person;
  readonly member: Person;
  readonly other: Person;
  readonly guest: Person;
}

export async function castPeople({ ctx }: TestServer): Promise<Cast> {
  return {
    owner: await examplePerson(ctx, { role: ROLE.owner }),
    admin: await examplePerson(ctx, { role: ROLE.administrator }),
    member: await examplePerson(ctx),
    other: await examplePerson(ctx),
    guest: await examplePerson(ctx, { role: ROLE.guest }),
  };
}

let count = 0;

/** A channel made over the API by `creator`; unless told otherwise, with the creator in it. */
export async function makeChannel(
  server: TestServer,
  creator: Person,
  given: FormInput & { readonly name?: string } = {},
): Promise<{ id: number; name: string }> {
  count += 1;
  const name = given.name ?? `channel ${count}`;
  const { status, body } = await chatClient(server, creator).post('/channels/create', {
    subscribers: [creator.id],
    ...given,
    name,
  });
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return { id: Number(body['id']), name };
}

/** Calls that must succeed. */
export function sure(client: ChatClient) {
  const checked =
    (method: 'get' | 'post' | 'patch' | 'delete') =>
    async (path: string, params: FormInput = {}): Promise<Record<string, unknown>> => {
      const { status, body } = await client[method](path, params);
      expect({ status, ...body }).toMatchObject({ status: 200, result: 'success' });
      return body;
    };
  return {
    get: checked('get'),
    post: checked('post'),
    patch: checked('patch'),
    delete: checked('delete'),
  };
}
