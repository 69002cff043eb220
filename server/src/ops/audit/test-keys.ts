// Keys and passwords.
import { expect } from 'vitest';
import type { Browser, Page } from '../../testing/browser.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { codeShown, giveTotp, signInWithCode } from '../../testing/factors.ts';
import { createSubAccount } from '../../trading/sub-accounts/actions.ts';
import { signIn } from '../../testing/session.ts';
import { exampleTrader } from '../../testing/trader.ts';
import {
  PASSWORD,
  as,
  bot,
  browserOf,
  idIn,
  member,
  server,
  unique,
  type Case,
  type Expected,
} from './test-world.ts';

const ownPassword =
  (path: string): Case =>
  async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    return {
      ask: () =>
        chatClient(server, person).patch(path, {
          old_password: PASSWORD,
          new_password: `${PASSWORD} and more`,
        }),
      expected: [
        {
          act: 'password change',
          subject: person.email,
          operator: person.email,
          by: person.id,
          details: { userId: person.id },
        },
      ],
    };
  };

/** A person who is signed in twice ends one of the two sessions. */
function endingSessions(ask: (browser: Browser) => Promise<Page>): Case {
  return async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    await browserOf(person);
    const browser = await browserOf(person);
    return {
      ask: () => ask(browser),
      expected: [
        {
          act: 'session end',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
          details: { count: 1 },
        },
      ],
    };
  };
}

/** A person in a browser does something with a key of their own, or of their bot. */
function withKey(
  isBots: boolean,
  act: Expected['act'],
  ask: (browser: Browser, path: string, id: number) => Promise<Page>,
): Case {
  return async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const form = { full_name: unique('Keyed '), short_name: unique('keyed') };
    const bot = isBots ? idIn(await chatClient(server, person).post('/bots', form), 'user_id') : 0;
    const path = isBots ? `/bots/${bot}/api_keys` : '/api_keys';
    const { body } = await browser.call('POST', path, { label: 'first' });
    return {
      ask: () => ask(browser, path, Number(body['id'])),
      expected: [
        {
          act,
          subject: isBots ? expect.stringContaining('-bot@') : person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
          details: { userId: isBots ? bot : person.id },
        },
      ],
    };
  };
}

/** Signed in with a second factor, a moment ago. */
async function browserWithFactor(person: Person): Promise<Browser> {
  const app = await giveTotp(server.ctx, person);
  return signInWithCode(server, person.email, PASSWORD, await app.next());
}

export const KEYS: Readonly<Record<string, Case>> = {
  // Keys and passwords.
  'fetch-api-key': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const form = { username: person.email, password: PASSWORD };
    return {
      ask: () => chatClient(server).post('/fetch_api_key', form),
      expected: [
        {
          act: 'chat_key reveal',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'stranger',
        },
      ],
    };
  },
  'confirm-totp': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const { text } = await browser.call('POST', '/second_factors/totp');
    const code = await codeShown(server.ctx, text);
    const who = { subject: person.email, operator: person.email, by: person.id } as const;
    return {
      ask: () => browser.call('POST', '/second_factors/totp/confirm', { code }),
      expected: [
        { act: 'factor add', ...who, via: 'session', details: { kind: 'totp' } },
        { act: 'chat_key regenerate', ...who, via: 'session' },
      ],
    };
  },
  'remove-totp': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserWithFactor(person);
    return {
      ask: () => browser.call('DELETE', '/second_factors/totp'),
      expected: [
        {
          act: 'factor remove',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
          details: { kind: 'totp' },
        },
      ],
    };
  },
  'renew-recovery-codes': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserWithFactor(person);
    return {
      ask: () => browser.call('POST', '/second_factors/recovery_codes'),
      expected: [
        {
          act: 'factor recovery_codes',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
        },
      ],
    };
  },
  'reveal-api-key': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    return {
      ask: () => browser.call('POST', '/fetch_api_key', { password: PASSWORD }),
      expected: [
        {
          act: 'chat_key reveal',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
        },
      ],
    };
  },
  'create-api-key': withKey(false, 'chat_key create', (browser, path) =>
    browser.call('POST', path, { label: 'one more' }),
  ),
  'update-api-key': withKey(false, 'chat_key update', (browser, path, id) =>
    browser.call('PATCH', `${path}/${id}`, { label: 'renamed' }),
  ),
  'rotate-api-key': withKey(false, 'chat_key rotate', (browser, path, id) =>
    browser.call('POST', `${path}/${id}/rotate`),
  ),
  'delete-api-key': withKey(false, 'chat_key delete', (browser, path, id) =>
    browser.call('DELETE', `${path}/${id}`),
  ),
  'create-bot-api-key': withKey(true, 'chat_key create', (browser, path) =>
    browser.call('POST', path, { label: 'one more' }),
  ),
  'update-bot-api-key': withKey(true, 'chat_key update', (browser, path, id) =>
    browser.call('PATCH', `${path}/${id}`, { label: 'renamed' }),
  ),
  'rotate-bot-api-key': withKey(true, 'chat_key rotate', (browser, path, id) =>
    browser.call('POST', `${path}/${id}/rotate`),
  ),
  'delete-bot-api-key': withKey(true, 'chat_key delete', (browser, path, id) =>
    browser.call('DELETE', `${path}/${id}`),
  ),
  'end-session': endingSessions(async (browser) => {
    const { body } = await browser.call('GET', '/sessions');
    const own = body['sessions'] as { id: number; is_current: boolean }[];
    const other = own.find(({ is_current }) => !is_current);
    return browser.call('DELETE', `/sessions/${other?.id}`);
  }),
  'end-sessions': endingSessions((browser) =>
    browser.call('DELETE', '/sessions', { except_current: 'true' }),
  ),
  'step-up': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    return {
      ask: () => browser.call('POST', '/step_up', { password: PASSWORD }),
      expected: [
        {
          act: 'session step_up',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
          details: { method: 'password' },
        },
      ],
    };
  },
  'regenerate-api-key': async () => {
    const person = await member();
    return {
      ask: () => chatClient(server, person).post('/users/me/api_key/regenerate'),
      expected: [
        {
          act: 'chat_key regenerate',
          subject: person.email,
          operator: person.email,
          by: person.id,
        },
      ],
    };
  },
  'get-bots': async () => {
    const person = await member();
    const client = chatClient(server, person);
    const answer = await client.post('/bots', { full_name: 'Own', short_name: unique('own') });
    return {
      ask: () => client.get('/bots'),
      expected: [
        {
          act: 'chat_key reveal',
          subject: expect.stringContaining('-bot@'),
          operator: person.email,
          by: person.id,
          details: { userIds: [idIn(answer, 'user_id')] },
        },
      ],
    };
  },
  'get-bot-api-key': async () => {
    const { id, email } = await bot();
    return {
      ask: () => as.get(`/bots/${id}/api_key`),
      expected: [{ act: 'chat_key reveal', subject: email, details: { userId: id } }],
    };
  },
  'regenerate-bot-api-key': async () => {
    const { id, email } = await bot();
    return {
      ask: () => as.post(`/bots/${id}/api_key/regenerate`),
      expected: [{ act: 'chat_key regenerate', subject: email, details: { userId: id } }],
    };
  },
  'update-phrase': async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () => browser.call('PUT', '/phrase', { phrase: 'blue heron at dawn' }),
      expected: [{ act: 'phrase change', ...who, details: { userId: person.id, isSet: true } }],
    };
  },
  'update-settings': ownPassword('/settings'),
  'update-display-settings': ownPassword('/settings/display'),
  'update-notification-settings': ownPassword('/settings/notifications'),
  privateApiKeyDelete: async () => {
    const person = await member();
    const trader = await exampleTrader(server.ctx, { userId: person.id });
    const path = '/private/api_key/delete';
    return {
      ask: () =>
        trader.call(`${server.baseUrl}${path}`, {
          method: 'DELETE',
          params: { keyId: trader.keyId },
        }),
      expected: [
        {
          act: 'trading_key delete',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: `trading key ${trader.keyId}`,
          before: expect.objectContaining({
            keyId: trader.keyId,
            permissions: ['read', 'trade'],
            userId: person.id,
          }),
        },
      ],
    };
  },
  privateApiKeyCreate: ofOwnKey('POST', 'create', () => ({
    params: { permissions: '["read"]', label: 'mine' },
    expected: {
      act: 'trading_key create',
      after: { keyId: expect.stringMatching(/^svc_key_/), permissions: ['read'], label: 'mine' },
    },
  })),
  privateApiKeyUpdate: ofOwnKey('POST', 'update', (keyId) => ({
    params: { keyId, label: 'renamed' },
    expected: {
      act: 'trading_key update',
      before: { keyId, label: '' },
      after: { keyId, label: 'renamed' },
    },
  })),
  privateApiKeyRotate: ofOwnKey('POST', 'rotate', (keyId) => ({
    params: { keyId },
    expected: {
      act: 'trading_key rotate',
      before: { keyId },
      after: { keyId: expect.stringMatching(/^svc_key_/), permissions: ['read', 'trade'] },
    },
  })),
  privateSubAccountCreate: ofSubAccount('POST', 'create', ({ id, label }) => ({
    params: { label: `${label} two` },
    expected: {
      act: 'sub_account create',
      subject: expect.stringMatching(new RegExp(`^account ${id + 1n}$`)),
      after: { label: `${label} two` },
    },
  })),
  privateSubAccountUpdate: ofSubAccount('POST', 'update', ({ id, label }) => ({
    params: { accountId: String(id), label: 'renamed' },
    expected: {
      act: 'sub_account rename',
      subject: `account ${id}`,
      before: { label },
      after: { label: 'renamed' },
    },
  })),
  privateSubAccountClose: ofSubAccount('DELETE', 'close', ({ id, label }) => ({
    params: { accountId: String(id) },
    expected: { act: 'sub_account close', subject: `account ${id}`, before: { label } },
  })),
};

/** A request of a signed-in person about a key of theirs. */
function ofOwnKey(
  method: string,
  verb: string,
  make: (keyId: string) => {
    readonly params: Record<string, string>;
    readonly expected: Omit<Expected, 'subject'>;
  },
): Case {
  return async () => {
    const person = await member();
    const { keyId } = await exampleTrader(server.ctx, { userId: person.id });
    const session = await signIn(server, person);
    const { params, expected } = make(keyId);
    const whose = { subject: person.email, operator: person.email, by: person.id };
    return {
      ask: () => session.ask(method, `/json/v1/private/api_key/${verb}`, params),
      expected: [{ ...expected, ...whose, via: 'session' }],
    };
  };
}

/** A request of a main account about its sub-account. */
function ofSubAccount(
  method: string,
  verb: string,
  make: (sub: { readonly id: bigint; readonly label: string }) => {
    readonly params: Record<string, string>;
    readonly expected: Expected;
  },
): Case {
  return async () => {
    const person = await member();
    const trader = await exampleTrader(server.ctx, {
      userId: person.id,
      permissions: ['transfer'],
    });
    const head = { id: trader.accountId, userId: person.id };
    const { account } = await createSubAccount(server.ctx, head, unique('Desk '));
    const { params, expected } = make(account);
    return {
      ask: () => trader.call(`${server.baseUrl}/private/sub_account/${verb}`, { method, params }),
      expected: [
        {
          ...expected,
          operator: person.email,
          by: person.id,
          via: `trading key ${trader.keyId}`,
        },
      ],
    };
  };
}
