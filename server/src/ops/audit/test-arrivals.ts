// Invitations, and the pages of browsers.
import { askLogin } from '../../accounts/command-lines/actions.ts';
import { expect } from 'vitest';
import { askOwnAddress } from '../../accounts/addresses/actions.ts';
import { makeLink, makeRegistration } from '../../accounts/mailed-links/actions.ts';
import { approve, askRecovery } from '../../accounts/recoveries/actions.ts';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { hiddenFields, openBrowser } from '../../testing/browser.ts';
import { examplePerson } from '../../testing/example.ts';
import { exampleGranted } from '../../testing/operators.ts';
import { codeShown, giveTotp } from '../../testing/factors.ts';
import { signIn } from '../../testing/session.ts';
import { exampleTrader } from '../../testing/trader.ts';
import { PAGES } from '../../web/audit.ts';
import {
  PASSWORD,
  as,
  browserOf,
  invitation,
  link,
  owner,
  server,
  type Case,
  unique,
} from './test-world.ts';

export const ARRIVALS: Readonly<Record<string, Case>> = {
  // Invitations.
  'send-invites': async () => {
    const email = `${unique('guest')}@example.org`;
    return {
      ask: () => as.post('/invites', { invitee_emails: email, stream_ids: [] }),
      expected: [
        { act: 'invitation send', subject: email, details: { emails: [email], role: ROLE.member } },
      ],
    };
  },
  'resend-invite': async () => {
    const { id, email } = await invitation();
    return {
      ask: () => as.post(`/invites/${id}/resend`),
      expected: [{ act: 'invitation resend', subject: email, details: { id } }],
    };
  },
  'revoke-invite': async () => {
    const { id, email } = await invitation();
    return {
      ask: () => as.delete(`/invites/${id}`),
      expected: [{ act: 'invitation revoke', subject: email, details: { id } }],
    };
  },
  'create-invite-link': async () => ({
    ask: () => as.post('/invites/multiuse', { invite_as: ROLE.guest }),
    expected: [
      {
        act: 'invitation link create',
        subject: expect.stringMatching(/^link \d+$/),
        details: { role: ROLE.guest },
      },
    ],
  }),
  'revoke-invite-link': async () => {
    const id = await link();
    return {
      ask: () => as.delete(`/invites/multiuse/${id}`),
      expected: [{ act: 'invitation link revoke', subject: `link ${id}` }],
    };
  },
  'register-account': async () => {
    const { key, email } = await invitation();
    const form = { key, full_name: unique('Guest '), password: PASSWORD };
    return {
      ask: () => chatClient(server).post('/register_account', form),
      expected: [
        {
          act: 'invitation accept',
          subject: email,
          operator: email,
          by: expect.anything(),
          via: 'stranger',
          details: { inviter_id: owner.id, role: ROLE.member },
        },
      ],
    };
  },

  // The pages of browsers.
  [PAGES.signIn.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    return {
      ask: () => openBrowser(server).signIn(person.email, PASSWORD),
      expected: [
        {
          act: 'session begin',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'stranger',
          details: { address: '127.0.0.1' },
        },
      ],
    };
  },
  [PAGES.signInFactor.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const { recoveryCodes } = await giveTotp(server.ctx, person);
    const browser = openBrowser(server);
    await browser.signIn(person.email, PASSWORD);
    const fields = hiddenFields((await browser.get('/accounts/login/factor/')).text);
    const form = { ...fields, recovery_code: recoveryCodes[0] ?? '' };
    const who = { subject: person.email, operator: person.email, by: person.id } as const;
    return {
      ask: () => browser.post('/accounts/login/factor/', form),
      expected: [
        { act: 'factor use', ...who, via: 'stranger', details: { kind: 'recovery code' } },
        { act: 'session begin', ...who, via: 'stranger' },
      ],
    };
  },
  [PAGES.signInEnrol.name]: async () => {
    const person = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
    await server.ctx.database.pool.query(
      "UPDATE users SET factor_due_at = now() - interval '1 day' WHERE id = $1",
      [person.id],
    );
    const browser = openBrowser(server);
    await browser.signIn(person.email, PASSWORD);
    const { text } = await browser.get('/accounts/login/enrol/');
    const form = { ...hiddenFields(text), code: await codeShown(server.ctx, text) };
    const who = { subject: person.email, operator: person.email, by: person.id } as const;
    return {
      ask: () => browser.post('/accounts/login/enrol/', form),
      expected: [
        { act: 'factor add', ...who, via: 'session', details: { kind: 'totp' } },
        { act: 'chat_key regenerate', ...who, via: 'session' },
        { act: 'session begin', ...who, via: 'session' },
      ],
    };
  },
  [PAGES.security.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/accounts/security/')).text);
    const { text } = await browser.post('/accounts/security/', { ...fields, do: 'begin' });
    const code = await codeShown(server.ctx, text);
    const form = { ...fields, do: 'confirm', keep_key: 'true', code };
    return {
      ask: () => browser.post('/accounts/security/', form),
      expected: [
        {
          act: 'factor add',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'session',
          details: { kind: 'totp' },
        },
      ],
    };
  },
  [PAGES.signOut.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/login/')).text);
    return {
      ask: () => browser.post('/accounts/logout/', fields),
      expected: [
        {
          act: 'session end',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'stranger',
          details: { count: 1 },
        },
      ],
    };
  },
  [PAGES.createAccount.name]: async () => {
    const { key, email } = await invitation();
    const browser = openBrowser(server);
    const fields = hiddenFields((await browser.get(`/accounts/do_confirm/${key}`)).text);
    const form = { ...fields, key, full_name: unique('Comer '), password: PASSWORD };
    const by: number = expect.anything();
    return {
      ask: () => browser.post('/accounts/register/', form),
      expected: [
        { act: 'invitation accept', subject: email, operator: email, by, via: 'stranger' },
        { act: 'session begin', subject: email, operator: email, by, via: 'stranger' },
      ],
    };
  },
  [PAGES.showKey.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/account/key/')).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () => browser.post('/account/key/', { ...fields, password: PASSWORD, do: 'show' }),
      expected: [{ act: 'chat_key reveal', ...who }],
    };
  },
  [PAGES.endSessions.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    await browserOf(person);
    const fields = hiddenFields((await browser.get('/accounts/sessions/')).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () => browser.post('/accounts/sessions/', { ...fields, end: 'others' }),
      expected: [{ act: 'session end', ...who, details: { count: 1 } }],
    };
  },
  [PAGES.tradingKeys.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const { keyId } = await exampleTrader(server.ctx, { userId: person.id });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/accounts/keys/')).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () => browser.post('/accounts/keys/', { ...fields, delete: keyId }),
      expected: [{ act: 'trading_key delete', ...who, before: { keyId } }],
    };
  },
  [PAGES.stepUp.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/accounts/step_up/')).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () => browser.post('/accounts/step_up/', { ...fields, password: PASSWORD }),
      expected: [{ act: 'session step_up', ...who, details: { method: 'password' } }],
    };
  },
  [PAGES.usePasswordLink.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    await browserOf(person);
    const key = await makeLink(server.ctx.db, server.ctx.secrets, {
      purpose: 'password',
      userId: person.id,
      hours: 1,
      email: person.email,
    });
    const browser = openBrowser(server);
    await browser.get(`/accounts/password/reset/${key}/`);
    const fields = hiddenFields((await browser.get('/accounts/password/reset/new/')).text);
    const password = 'another violet kettle 73';
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'link' };
    return {
      ask: () =>
        browser.post('/accounts/password/reset/new/', { ...fields, password, again: password }),
      expected: [
        { act: 'password change', ...who },
        { act: 'session end', ...who },
        { act: 'chat_key regenerate', ...who },
      ],
    };
  },
  [PAGES.changePhrase.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await browserOf(person);
    const fields = hiddenFields((await browser.get('/account/phrase/')).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'session' };
    return {
      ask: () =>
        browser.post('/account/phrase/', { ...fields, phrase: 'blue heron', password: PASSWORD }),
      expected: [{ act: 'phrase change', ...who, details: { userId: person.id, isSet: true } }],
    };
  },
  [PAGES.register.name]: async () => {
    const email = `${unique('registered')}@example.com`;
    await as.patch('/realm', { invite_required: false });
    const key = await makeRegistration(server.ctx.db, server.ctx.secrets, { email, max: 1000 });
    const browser = openBrowser(server);
    await browser.get(`/accounts/register/${key}/`);
    const path = '/accounts/register/new/';
    const fields = hiddenFields((await browser.get(path)).text);
    const form = { ...fields, full_name: unique('Registered '), password: PASSWORD };
    return {
      ask: () => browser.post(path, form),
      expected: [
        {
          act: 'user create',
          subject: email,
          after: { email, role: ROLE.member },
          operator: '',
          by: null,
          via: 'stranger',
        },
        {
          act: 'session begin',
          subject: email,
          operator: email,
          by: expect.anything(),
          via: 'stranger',
        },
      ],
    };
  },
  [PAGES.commandLine.name]: async () => {
    const { ctx, origin } = server;
    const operator = await exampleGranted(ctx, 'look');
    const { code } = await askLogin(ctx, { host: 'venue-1', login: 'root' });
    const { cookie, csrfToken } = await signIn(server, operator);
    const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken, code, step: 'deny' });
    return {
      ask: async () => {
        const answer = await fetch(`${origin}/accounts/cli/`, {
          method: 'POST',
          headers: { cookie },
          body,
        });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      },
      expected: [
        {
          act: 'cli end',
          subject: operator.email,
          operator: operator.email,
          by: operator.id,
          via: 'session',
          details: { reason: 'denied' },
        },
      ],
    };
  },
  [PAGES.cancelRecovery.name]: async () => {
    const person = await examplePerson(server.ctx);
    const helper = await exampleGranted(server.ctx, 'support');
    const id = await askRecovery(server.ctx, helper, person.email, 'seen in person');
    const key = await makeLink(server.ctx.db, server.ctx.secrets, {
      purpose: 'recovery_cancel',
      userId: person.id,
      hours: 1,
    });
    const browser = openBrowser(server);
    await browser.get(`/accounts/recovery/cancel/${key}/`);
    const path = '/accounts/recovery/cancel/use/';
    const fields = hiddenFields((await browser.get(path)).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'link' };
    return {
      ask: () => browser.post(path, fields),
      expected: [{ act: 'recovery cancel', ...who, details: { recoveryId: String(id) } }],
    };
  },
  [PAGES.useRecovery.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    await browserOf(person);
    const [helper, second] = [
      await exampleGranted(server.ctx, 'support'),
      await exampleGranted(server.ctx, 'support'),
    ];
    const id = await askRecovery(server.ctx, helper, person.email, 'seen in person');
    await approve(server.ctx, second, id);
    await server.owner.query("UPDATE recoveries SET state = 'usable' WHERE id = $1", [String(id)]);
    const key = await makeLink(server.ctx.db, server.ctx.secrets, {
      purpose: 'recovery',
      userId: person.id,
      hours: 1,
    });
    const browser = openBrowser(server);
    await browser.get(`/accounts/recovery/${key}/`);
    const path = '/accounts/recovery/new/';
    const fields = hiddenFields((await browser.get(path)).text);
    const password = 'another violet kettle 74';
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'link' };
    return {
      ask: () => browser.post(path, { ...fields, password, again: password }),
      expected: [
        { act: 'password change', ...who },
        { act: 'session end', ...who },
        { act: 'chat_key regenerate', ...who },
        { act: 'recovery use', ...who },
      ],
    };
  },
  [PAGES.decideAddress.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const email = `${unique('moved')}@example.com`;
    await askOwnAddress(server.ctx, person, email, '192.0.2.9');
    await server.owner.query(
      'UPDATE address_changes SET new_confirmed_at = now() WHERE user_id = $1',
      [person.id],
    );
    const key = await makeLink(server.ctx.db, server.ctx.secrets, {
      purpose: 'address_old',
      userId: person.id,
      hours: 1,
    });
    const browser = openBrowser(server);
    await browser.get(`/accounts/confirm_new_email/${key}/`);
    const path = '/accounts/confirm_new_email/use/';
    const fields = hiddenFields((await browser.get(path)).text);
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'link' };
    return {
      ask: () => browser.post(path, { ...fields, decision: 'confirm' }),
      expected: [
        {
          act: 'user set_email',
          ...who,
          before: { email: person.email },
          after: { email },
          details: { userId: person.id, askedBy: person.id },
        },
      ],
    };
  },
  [PAGES.useDeviceLink.name]: async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const key = await makeLink(server.ctx.db, server.ctx.secrets, {
      purpose: 'device',
      userId: person.id,
      hours: 1,
    });
    const browser = openBrowser(server);
    await browser.get(`/accounts/login/device/${key}/`);
    const fields = hiddenFields((await browser.get('/accounts/login/device/use/')).text);
    return {
      ask: () => browser.post('/accounts/login/device/use/', fields),
      expected: [
        {
          act: 'sign_in device_link',
          subject: person.email,
          operator: person.email,
          by: person.id,
          via: 'stranger',
          details: { address: '127.0.0.1' },
        },
      ],
    };
  },
};
