// Creates a little of everything through valid requests, so that later requests can name real
// objects.
import type { Credentials } from './wire.ts';

interface Told {
  /** What a bare `id` in the answer is the id of. */
  readonly noun: string;
  readonly text: string;
}

const LISTS = [
  'users',
  'streams',
  'user_groups',
  'users/me/subscriptions',
  'drafts',
  'saved_snippets',
  'scheduled_messages',
  'realm/linkifiers',
  'realm/profile_fields',
  'channel_folders',
  'navigation_views',
  'invites',
  'bots',
  'attachments',
] as const;

const MESSAGES = 20;

/** Lists what exists then. */
export async function settle(
  origin: string,
  people: readonly Pick<Credentials, 'basic'>[],
): Promise<Told[]> {
  const told: Told[] = [];
  const ask = async (basic: string, method: string, path: string, form: Record<string, string>) => {
    const params = new URLSearchParams(form);
    const isRead = method === 'GET';
    const answer = await fetch(`${origin}/api/v1/${path}${isRead ? `?${params.toString()}` : ''}`, {
      method,
      headers: { authorization: basic },
      ...(!isRead && { body: params }),
    });
    if (answer.status !== 200) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    }
    told.push({ noun: path.split('/').at(-1) ?? '', text: await answer.text() });
  };
  const [owner = '', ...others] = people.map(({ basic }) => basic);
  await ask(owner, 'POST', 'users/me/subscriptions', {
    subscriptions: '[{"name":"general"},{"name":"news"}]',
  });
  for (const one of others.slice(0, -1)) {
    await ask(one, 'POST', 'users/me/subscriptions', { subscriptions: '[{"name":"general"}]' });
  }
  for (let count = 0; count < MESSAGES; count += 1) {
    const content = `hello ${count} **bold code** سلام`;
    await ask(owner, 'POST', 'messages', {
      type: 'stream',
      to: 'general',
      topic: 'hello',
      content,
    });
  }
  const draft =
    '[{"type":"stream","to":[1],"topic":"hello","content":"a draft","timestamp":1700000000}]';
  await ask(owner, 'POST', 'drafts', { drafts: draft });
  await ask(owner, 'POST', 'saved_snippets', { title: 'a snippet', content: 'text' });
  await ask(owner, 'POST', 'bots', { full_name: 'Echo', short_name: 'echo', bot_type: '1' });
  await ask(owner, 'POST', 'user_groups/create', {
    name: 'makers',
    description: '',
    members: '[]',
  });
  await ask(owner, 'POST', 'realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  });
  for (const path of LISTS) await ask(owner, 'GET', path, {});
  await ask(owner, 'GET', 'messages', { anchor: 'newest', num_before: '100', num_after: '0' });
  for (const one of people) await ask(one.basic, 'POST', 'register', {});
  return told;
}
