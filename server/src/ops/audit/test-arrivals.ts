// Invitations, and the pages of browsers.
import { expect } from 'vitest';
import { makeLink } from '../../accounts/mailed-links/actions.ts';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { hiddenFields, openBrowser } from '../../testing/browser.ts';
import { examplePerson } from '../../testing/example.ts';
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
    const fields = hiddenFields((await browser.get('/accounts/password/reset/use/')).text);
    const password = 'another violet kettle 73';
    const who = { subject: person.email, operator: person.email, by: person.id, via: 'link' };
    return {
      ask: () =>
        browser.post('/accounts/password/reset/use/', { ...fields, password, again: password }),
      expected: [
        { act: 'password change', ...who },
        { act: 'session end', ...who },
        { act: 'chat_key regenerate', ...who },
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
