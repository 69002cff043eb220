// Providers that open accounts, and apps that are signed in through the browser.
import { hiddenFields, openBrowser, type Browser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { PAGES } from '../../web/audit.ts';
import { browserOf, PASSWORD, provider, server, unique, type Case } from './test-world.ts';

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

async function linkedPerson(): Promise<{ person: Person; sub: string }> {
  const person = await examplePerson(server.ctx, { password: PASSWORD });
  const sub = unique('subject-');
  await server.owner.query(
    'INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
    [provider.issuer, sub, person.id],
  );
  return { person, sub };
}

const ofSession = (person: Person) => ({
  subject: person.email,
  operator: person.email,
  by: person.id,
  via: 'session',
});

async function askedByApp(
  person: Person,
): Promise<{ browser: Browser; form: Record<string, string> }> {
  const browser = await browserOf(person);
  await browser.get(`/accounts/login/web/?mobile_flow_otp=${'ab'.repeat(32)}`);
  return { browser, form: hiddenFields((await browser.get('/accounts/login/app/')).text) };
}

export const PROVIDERS: Readonly<Record<string, Case>> = {
  'unlink-identity': async () => {
    const { person } = await linkedPerson();
    const browser = await browserOf(person);
    return {
      ask: () => browser.call('DELETE', '/identities/acme'),
      expected: [{ act: 'identity remove', ...ofSession(person), details: { provider: 'acme' } }],
    };
  },
  [PAGES.changeIdentity.name]: async () => {
    const { person } = await linkedPerson();
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/account/identities/')).text);
    return {
      ask: () => browser.post('/account/identities/acme/', { ...fields, do: 'remove' }),
      expected: [{ act: 'identity remove', ...ofSession(person) }],
    };
  },
  [PAGES.providerLogout.name]: async () => {
    const { person, sub } = await linkedPerson();
    await provider.become({ sub });
    const browser = openBrowser(server);
    const there = await browser.get('/accounts/login/oidc/acme/');
    const back = new URL(await provider.approve(there.headers.get('location') ?? ''));
    await browser.get(`${back.pathname}${back.search}`);
    const iat = Math.floor(Date.now() / 1000);
    const token = await provider.sign({
      iss: provider.issuer,
      aud: provider.clientId,
      iat,
      exp: iat + 60,
      jti: unique('jti-'),
      events: EVENTS,
      sub,
    });
    return {
      ask: () =>
        openBrowser(server).post('/accounts/oidc/acme/backchannel/', { logout_token: token }),
      expected: [
        {
          act: 'session end',
          subject: person.email,
          operator: '',
          via: 'stranger',
          // The provider has no account here.
          details: { by: null, count: 1, provider: 'acme' },
        },
      ],
    };
  },
  [PAGES.signAppIn.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const { browser, form } = await askedByApp(person);
    return {
      ask: () => browser.post('/accounts/login/app/', form),
      expected: [{ act: 'chat_key create', ...ofSession(person) }],
    };
  },
  [PAGES.signAppInAgain.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const { browser, form } = await askedByApp(person);
    return {
      ask: () => browser.post('/accounts/login/app/again/', form),
      expected: [{ act: 'session end', ...ofSession(person) }],
    };
  },
};
