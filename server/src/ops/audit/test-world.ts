// A server for the audit tests, and what has to exist before something can be done to it.
import { expect } from 'vitest';
import type { ActName } from '../../accounts/audit/acts.ts';
import { ROLE } from '../../accounts/roles.ts';
import {
  chatClient,
  type Answer,
  type ChatClient,
  type FormInput,
} from '../../testing/chat/client.ts';
import { openBrowser, type Browser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../../testing/mail-catcher.ts';
import { providerSettings, startProvider, type TestProvider } from '../../testing/oidc-provider.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

export const ORIGIN = 'http://rialto.localhost';
export const PASSWORD = 'a long enough secret 7';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let catcher: MailCatcher;
/** A provider that people may sign in with. */
export let provider: TestProvider;
let providerFile: ReturnType<typeof providerSettings>;
export let server: TestServer;
export let owner: Person;
/** The owner, who does everything here unless somebody else is named. */
export let as: ChatClient;
/** Every route, as the framework draws them. */
export let mounted = '';

export async function openWorld(): Promise<void> {
  catcher = await startMailCatcher();
  provider = await startProvider('acme');
  providerFile = providerSettings([provider.entry()]);
  server = await startTestServer({
    withJobs: true,
    withEngine: true,
    // A person has few codes a minute.
    stepUp: async () => {},
    settings: {
      ...catcher.settings,
      ...providerFile.settings,
      CHAT_RATE_LIMIT: '100000',
      // A name, because passkeys need one.
      PUBLIC_URL: ORIGIN,
    },
    extend: (app) => {
      mounted = app.printRoutes({ commonPrefix: false });
    },
  });
  await provider.register(ORIGIN);
  owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
  as = chatClient(server, owner);
}

export async function closeWorld(): Promise<void> {
  await server.close();
  await catcher.close();
  await provider.close();
  providerFile.remove();
}

/** What is expected of an entry besides who, from where and by which request. */
export interface Expected {
  readonly act: ActName;
  readonly subject: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly operator?: string;
  /** Null where nobody was known yet. */
  readonly by?: number | null;
  readonly via?: string;
  readonly details?: Record<string, unknown>;
}

/** One request, and the entries it must leave. Its prerequisites are created first. */
export type Case = () => Promise<{
  ask: () => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;
  expected: readonly Expected[];
}>;

let count = 0;
export const unique = (word: string): string => `${word}${(count += 1)}`;
export const idIn = ({ body }: Answer, name: string): number => Number(body[name]);

export const member = () => examplePerson(server.ctx);

export async function bot(
  given: FormInput = {},
): Promise<{ id: number; email: string; name: string }> {
  const name = unique('Helper ');
  const form = { full_name: name, short_name: unique('helper'), ...given };
  const answer = await as.post('/bots', form);
  const id = idIn(answer, 'user_id');
  const found = await as.get(`/users/${id}`);
  return { id, email: (found.body['user'] as { email: string }).email, name };
}

export async function group(): Promise<{ id: number; name: string }> {
  const name = unique('group ');
  const form = { name, description: 'ours', members: [owner.id] };
  return { id: idIn(await as.post('/user_groups/create', form), 'group_id'), name };
}

export async function channel(): Promise<{ id: number; name: string }> {
  const name = unique('channel ');
  const answer = await as.post('/channels/create', { name, subscribers: [owner.id] });
  return { id: idIn(answer, 'id'), name };
}

export const linkifier = async () => {
  const pattern = `${unique('T')}-(?P<id>[0-9]+)`;
  const form = { pattern, url_template: 'https://example.com/{id}' };
  return { id: idIn(await as.post('/realm/filters', form), 'id'), pattern };
};

export const field = async () => {
  const name = unique('Field ');
  const answer = await as.post('/realm/profile_fields', { field_type: 1, name });
  return { id: idIn(answer, 'id'), name };
};

export const folder = async () => {
  const name = unique('Folder ');
  const answer = await as.post('/channel_folders/create', { name, description: '' });
  return { id: idIn(answer, 'channel_folder_id'), name };
};

export const domain = async () => {
  const name = `${unique('d')}.example.org`;
  await as.post('/realm/domains', { domain: name, allow_subdomains: false });
  return name;
};

export async function invitation(): Promise<{ id: number; email: string; key: string }> {
  const email = `${unique('visitor')}@example.org`;
  await as.post('/invites', { invitee_emails: email, stream_ids: [] });
  const key =
    /\/do_confirm\/([a-z2-7]{52})/.exec((await catcher.next(email)).text ?? '')?.[1] ?? '';
  const { body } = await as.get('/invites');
  const invites = body['invites'] as { id: number; email?: string }[];
  return { id: invites.find((one) => one.email === email)?.id ?? 0, email, key };
}

export async function link(): Promise<number> {
  await as.post('/invites/multiuse', {});
  const { body } = await as.get('/invites');
  const links = (body['invites'] as { id: number; is_multiuse: boolean }[]).filter(
    ({ is_multiuse }) => is_multiuse,
  );
  return Math.max(...links.map(({ id }) => id));
}

export async function emoji(name: string): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(PNG)]), 'picture.png');
  return as.raw(`/realm/emoji/${name}`, { method: 'POST', body: form });
}

export async function browserOf(person: Person): Promise<Browser> {
  const browser = openBrowser(server);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
  return browser;
}

export const idsIn = async (path: string, list: string): Promise<number[]> =>
  ((await as.get(path)).body[list] as { id: number }[]).map(({ id }) => id);
