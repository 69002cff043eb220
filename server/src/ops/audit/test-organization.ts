// What the organization has set.
import { expect } from 'vitest';
import { roleGroupId } from '../../accounts/users/role-groups.ts';
import {
  as,
  domain,
  emoji,
  field,
  idIn,
  idsIn,
  linkifier,
  owner,
  type Case,
  unique,
} from './test-world.ts';

export const ORGANIZATION: Readonly<Record<string, Case>> = {
  // The organization.
  'update-realm': async () => {
    const name = unique('Rialto ');
    return {
      ask: () =>
        as.patch('/realm', {
          name,
          can_create_groups: { new: roleGroupId('role:fullmembers') },
          waiting_period_threshold: 3,
        }),
      expected: [
        {
          act: 'org setting',
          subject: 'organization',
          before: expect.objectContaining({ name: expect.anything() }),
          after: {
            name,
            can_create_groups: roleGroupId('role:fullmembers'),
            waiting_period_threshold: 3,
          },
        },
      ],
    };
  },
  'update-realm-user-settings-defaults': async () => ({
    ask: () => as.patch('/realm/user_settings_defaults', { enter_sends: true }),
    expected: [{ act: 'org user_defaults', subject: 'organization', after: { enter_sends: true } }],
  }),
  'add-realm-domain': async () => {
    const name = `${unique('d')}.example.org`;
    return {
      ask: () => as.post('/realm/domains', { domain: name, allow_subdomains: true }),
      expected: [
        { act: 'domain add', subject: name, after: { domain: name, allow_subdomains: true } },
      ],
    };
  },
  'update-realm-domain': async () => {
    const name = await domain();
    return {
      ask: () => as.patch(`/realm/domains/${name}`, { allow_subdomains: true }),
      expected: [
        {
          act: 'domain change',
          subject: name,
          before: { allow_subdomains: false },
          after: { allow_subdomains: true },
        },
      ],
    };
  },
  'remove-realm-domain': async () => {
    const name = await domain();
    return {
      ask: () => as.delete(`/realm/domains/${name}`),
      expected: [
        { act: 'domain remove', subject: name, before: { domain: name, allow_subdomains: false } },
      ],
    };
  },
  'upload-custom-emoji': async () => {
    const name = unique('cat');
    return {
      ask: () => emoji(name),
      expected: [{ act: 'emoji add', subject: name, after: expect.objectContaining({ name }) }],
    };
  },
  'deactivate-custom-emoji': async () => {
    const name = unique('dog');
    await emoji(name);
    return {
      ask: () => as.delete(`/realm/emoji/${name}`),
      expected: [
        {
          act: 'emoji remove',
          subject: name,
          before: expect.objectContaining({ name, authorId: owner.id }),
        },
      ],
    };
  },
  'create-linkifier': async () => {
    const pattern = `${unique('N')}-(?P<id>[0-9]+)`;
    return {
      ask: () => as.post('/realm/filters', { pattern, url_template: 'https://example.com/{id}' }),
      expected: [
        {
          act: 'linkifier create',
          subject: expect.stringMatching(/^\d+$/),
          after: expect.objectContaining({ pattern }),
        },
      ],
    };
  },
  'update-linkifier': async () => {
    const { id, pattern } = await linkifier();
    const url = 'https://example.com/other/{id}';
    return {
      ask: () => as.patch(`/realm/filters/${id}`, { pattern, url_template: url }),
      expected: [
        {
          act: 'linkifier change',
          subject: String(id),
          before: { url_template: 'https://example.com/{id}' },
          after: { url_template: url },
        },
      ],
    };
  },
  'delete-linkifier': async () => {
    const { id, pattern } = await linkifier();
    return {
      ask: () => as.delete(`/realm/filters/${id}`),
      expected: [
        {
          act: 'linkifier remove',
          subject: String(id),
          before: expect.objectContaining({ pattern }),
        },
      ],
    };
  },
  'reorder-linkifiers': async () => {
    await linkifier();
    await linkifier();
    const order = await idsIn('/realm/linkifiers', 'linkifiers');
    return {
      ask: () => as.patch('/realm/linkifiers', { ordered_linkifier_ids: order.toReversed() }),
      expected: [
        {
          act: 'linkifier order',
          subject: expect.anything(),
          before: { order },
          after: { order: order.toReversed() },
        },
      ],
    };
  },
  'create-playground': async () => {
    const name = unique('Play ');
    return {
      ask: () =>
        as.post('/realm/playgrounds', {
          name,
          pygments_language: 'Rust',
          url_template: 'https://play.example.com/{code}',
        }),
      expected: [
        {
          act: 'playground create',
          subject: expect.stringMatching(/^\d+$/),
          after: expect.objectContaining({ name }),
        },
      ],
    };
  },
  'delete-playground': async () => {
    const name = unique('Play ');
    const answer = await as.post('/realm/playgrounds', {
      name,
      pygments_language: 'Rust',
      url_template: 'https://play.example.com/{code}',
    });
    const id = idIn(answer, 'id');
    return {
      ask: () => as.delete(`/realm/playgrounds/${id}`),
      expected: [
        {
          act: 'playground remove',
          subject: String(id),
          before: expect.objectContaining({ name }),
        },
      ],
    };
  },
  'create-profile-field': async () => {
    const name = unique('Made ');
    return {
      ask: () => as.post('/realm/profile_fields', { field_type: 1, name }),
      expected: [
        {
          act: 'profile_field create',
          subject: expect.stringMatching(/^\d+$/),
          after: expect.objectContaining({ name }),
        },
      ],
    };
  },
  'update-profile-field': async () => {
    const { id, name } = await field();
    const other = unique('Named ');
    return {
      ask: () => as.patch(`/realm/profile_fields/${id}`, { name: other }),
      expected: [
        {
          act: 'profile_field change',
          subject: String(id),
          before: { name },
          after: { name: other },
        },
      ],
    };
  },
  'delete-profile-field': async () => {
    const { id, name } = await field();
    return {
      ask: () => as.delete(`/realm/profile_fields/${id}`),
      expected: [
        {
          act: 'profile_field remove',
          subject: String(id),
          before: expect.objectContaining({ name }),
        },
      ],
    };
  },
  'reorder-profile-fields': async () => {
    await field();
    await field();
    const order = await idsIn('/realm/profile_fields', 'custom_fields');
    return {
      ask: () => as.patch('/realm/profile_fields', { order: order.toReversed() }),
      expected: [
        {
          act: 'profile_field order',
          subject: expect.anything(),
          before: { order },
          after: { order: order.toReversed() },
        },
      ],
    };
  },
};
