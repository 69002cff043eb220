// People and bots.
import { expect } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { openBrowser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import {
  PASSWORD,
  as,
  bot,
  field,
  member,
  owner,
  server,
  type Case,
  unique,
} from './test-world.ts';

const changeUser =
  (pathOf: (person: Person) => string): Case =>
  async () => {
    const field1 = await field();
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = openBrowser(server);
    await browser.signIn(person.email, PASSWORD);
    const email = `${unique('new')}@example.com`;
    const fullName = unique('Renamed ');
    const subject = person.email;
    return {
      ask: () =>
        as.patch(pathOf(person), {
          role: ROLE.administrator,
          full_name: fullName,
          new_email: email,
          profile_data: [{ id: field1.id, value: 'told' }],
        }),
      expected: [
        { act: 'session end', subject, details: { count: 1, reason: 'role changed' } },
        {
          act: 'user set_role',
          subject,
          before: { role: ROLE.member },
          after: { role: ROLE.administrator },
          details: { userId: person.id },
        },
        {
          act: 'user rename',
          subject,
          before: { fullName: person.fullName },
          after: { fullName },
        },
        { act: 'address ask', subject, details: { userId: person.id, newEmail: email } },
        {
          act: 'user set_profile',
          subject: person.email,
          before: { [`field ${field1.id}`]: null },
          after: { [`field ${field1.id}`]: 'told' },
        },
      ],
    };
  };

export const PEOPLE: Readonly<Record<string, Case>> = {
  // People and bots.
  'create-user': async () => {
    const email = `${unique('fresh')}@example.com`;
    return {
      ask: () => as.post('/users', { email, password: PASSWORD, full_name: 'Fresh Face' }),
      expected: [
        {
          act: 'user create',
          subject: email,
          after: { email, fullName: 'Fresh Face', role: ROLE.member },
        },
      ],
    };
  },
  'update-user': changeUser(({ id }) => `/users/${id}`),
  'update-user-by-email': changeUser(({ email }) => `/users/${email}`),
  'deactivate-user': async () => {
    const person = await member();
    return {
      ask: () => as.delete(`/users/${person.id}`, { actions: { delete_profile: true } }),
      expected: [
        {
          act: 'user deactivate',
          subject: person.email,
          before: { isActive: true },
          after: { isActive: false },
          details: { userId: person.id, bots: [] },
        },
        { act: 'user erase', subject: person.email, after: { delete_profile: true } },
        {
          act: 'user rename',
          subject: person.email,
          before: { fullName: person.fullName },
          after: { fullName: `Deleted user ${person.id}` },
        },
      ],
    };
  },
  'deactivate-own-user': async () => {
    const person = await member();
    return {
      ask: () => chatClient(server, person).delete('/users/me'),
      expected: [
        {
          act: 'user deactivate',
          subject: person.email,
          operator: person.email,
          by: person.id,
          after: { isActive: false },
        },
      ],
    };
  },
  'reactivate-user': async () => {
    const person = await member();
    await as.delete(`/users/${person.id}`);
    return {
      ask: () => as.post(`/users/${person.id}/reactivate`),
      expected: [
        {
          act: 'user reactivate',
          subject: person.email,
          before: { isActive: false },
          after: { isActive: true },
        },
      ],
    };
  },
  'update-status-of-user': async () => {
    const person = await member();
    return {
      ask: () => as.post(`/users/${person.id}/status`, { status_text: 'told to work' }),
      expected: [
        {
          act: 'user set_status',
          subject: person.email,
          before: { statusText: '' },
          after: { statusText: 'told to work' },
        },
      ],
    };
  },
  'create-bot': async () => {
    const name = unique('Robot ');
    return {
      ask: () => as.post('/bots', { full_name: name, short_name: unique('robot') }),
      expected: [
        {
          act: 'bot create',
          subject: expect.stringContaining('-bot@'),
          after: expect.objectContaining({ fullName: name, botType: 1, botOwnerId: owner.id }),
        },
      ],
    };
  },
  'update-bot': async () => {
    const { id, email, name } = await bot({ bot_type: 3, payload_url: 'https://old.example/' });
    const person = await member();
    const fullName = unique('Other ');
    return {
      ask: () =>
        as.patch(`/bots/${id}`, {
          full_name: fullName,
          bot_owner_id: person.id,
          service_payload_url: 'https://new.example/',
        }),
      expected: [
        { act: 'user rename', subject: email, before: { fullName: name }, after: { fullName } },
        {
          act: 'bot set_service',
          subject: email,
          before: { baseUrl: 'https://old.example/', interface: 1 },
          after: { baseUrl: 'https://new.example/', interface: 1 },
        },
        {
          act: 'bot set_owner',
          subject: email,
          before: { botOwnerId: owner.id },
          after: { botOwnerId: person.id },
        },
        { act: 'chat_key regenerate', subject: email, details: { userId: id } },
      ],
    };
  },
  'deactivate-bot': async () => {
    const { id, email } = await bot();
    return {
      ask: () => as.delete(`/bots/${id}`),
      expected: [{ act: 'user deactivate', subject: email, after: { isActive: false } }],
    };
  },
};
