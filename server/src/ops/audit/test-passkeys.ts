// Passkeys.
import { createAuthenticator } from '../../testing/authenticator.ts';
import { hiddenFields, openBrowser, type Browser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { browserOf, ORIGIN, PASSWORD, server, type Case, type Expected } from './test-world.ts';

type Made = ReturnType<typeof createAuthenticator>;
type CreationOptions = Parameters<Made['register']>[0];
type RequestOptions = Parameters<Made['assert']>[0];

/** A person in a browser, and the form that adds a passkey. */
async function visit(authenticator = createAuthenticator(ORIGIN)): Promise<{
  person: Person;
  browser: Browser;
  form: Record<string, string>;
}> {
  const person = await examplePerson(server.ctx, { password: PASSWORD });
  const browser = await browserOf(person);
  const { body } = await browser.call('POST', '/second_factors/passkeys/options');
  const made = authenticator.register(body['options'] as CreationOptions);
  return { person, browser, form: { response: JSON.stringify(made), label: 'Phone' } };
}

/** The same, with the passkey stored. The session has shown it, so that it is fresh. */
async function own(
  authenticator = createAuthenticator(ORIGIN),
): Promise<{ person: Person; browser: Browser; path: string }> {
  const { person, browser, form } = await visit(authenticator);
  const { body } = await browser.call('POST', '/second_factors/passkeys', form);
  await server.owner.query(
    `UPDATE sessions SET methods = '{password,passkey}', factor_at = now() WHERE user_id = $1`,
    [person.id],
  );
  return { person, browser, path: `/second_factors/passkeys/${String(body['id'])}` };
}

const entry = ({ email, id }: Person): Pick<Expected, 'subject' | 'operator' | 'by' | 'via'> => ({
  subject: email,
  operator: email,
  by: id,
  via: 'session',
});

export const PASSKEYS: Readonly<Record<string, Case>> = {
  'create-passkey': async () => {
    const { person, browser, form } = await visit();
    return {
      ask: () => browser.call('POST', '/second_factors/passkeys', form),
      expected: [
        { act: 'factor add', ...entry(person), details: { kind: 'passkey', name: 'Phone' } },
        { act: 'chat_key regenerate', ...entry(person) },
      ],
    };
  },
  'update-passkey': async () => {
    const { person, browser, path } = await own();
    return {
      ask: () => browser.call('PATCH', path, { label: 'Old phone' }),
      expected: [
        {
          act: 'factor change',
          ...entry(person),
          before: { label: 'Phone' },
          after: { label: 'Old phone' },
        },
      ],
    };
  },
  'delete-passkey': async () => {
    const { person, browser, path } = await own();
    return {
      ask: () => browser.call('DELETE', path),
      expected: [
        { act: 'factor remove', ...entry(person), details: { kind: 'passkey', name: 'Phone' } },
      ],
    };
  },
  'POST /accounts/security/passkeys/': async () => {
    const { person, browser, form } = await visit();
    const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? '';
    return {
      ask: () =>
        browser.post('/accounts/security/passkeys/', { ...form, do: 'add', csrfmiddlewaretoken }),
      expected: [
        { act: 'factor add', ...entry(person), details: { kind: 'passkey', name: 'Phone' } },
        { act: 'chat_key regenerate', ...entry(person) },
      ],
    };
  },
  'POST /accounts/login/passkey/': async () => {
    const authenticator = createAuthenticator(ORIGIN);
    const { person } = await own(authenticator);
    const browser = openBrowser(server);
    const csrf = hiddenFields((await browser.get('/login/')).text);
    const { body } = await browser.post('/accounts/login/passkey/options', csrf);
    const assertion = JSON.stringify(authenticator.assert(body['options'] as RequestOptions));
    return {
      ask: () => browser.post('/accounts/login/passkey/', { ...csrf, assertion }),
      expected: [{ act: 'session begin', ...entry(person), via: 'stranger' }],
    };
  },
};
