// Channels and who is in them.
import { expect } from 'vitest';
import { as, channel, folder, idsIn, member, owner, type Case, unique } from './test-world.ts';

export const CHANNELS: Readonly<Record<string, Case>> = {
  // Channels.
  'create-channel': async () => {
    const name = unique('fresh channel ');
    const person = await member();
    return {
      ask: () => as.post('/channels/create', { name, subscribers: [person.id], invite_only: true }),
      expected: [
        {
          act: 'channel create',
          subject: name,
          after: expect.objectContaining({ name, inviteOnly: true }),
        },
        {
          act: 'subscription add',
          subject: name,
          after: { subscribers: expect.anything() },
        },
      ],
    };
  },
  'update-channel': async () => {
    const { id, name } = await channel();
    return {
      ask: () =>
        as.patch(`/streams/${id}`, {
          is_private: true,
          can_subscribe_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
        }),
      expected: [
        {
          act: 'channel change',
          subject: name,
          before: expect.objectContaining({ inviteOnly: false }),
          after: expect.objectContaining({
            inviteOnly: true,
            can_subscribe_group: { direct_members: [owner.id], direct_subgroups: [] },
          }),
          details: { channelId: id },
        },
      ],
    };
  },
  'archive-channel': async () => {
    const { id, name } = await channel();
    return {
      ask: () => as.delete(`/streams/${id}`),
      expected: [{ act: 'channel archive', subject: name, after: { isArchived: true } }],
    };
  },
  subscribe: async () => {
    const { id, name } = await channel();
    const person = await member();
    return {
      ask: () =>
        as.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [person.id] }),
      expected: [
        { act: 'subscription add', subject: name, after: { subscribers: { [id]: [person.id] } } },
      ],
    };
  },
  unsubscribe: async () => {
    const { id, name } = await channel();
    const person = await member();
    const form = { subscriptions: [{ name }], principals: [person.id] };
    await as.post('/users/me/subscriptions', form);
    return {
      ask: () =>
        as.delete('/users/me/subscriptions', { subscriptions: [name], principals: [person.id] }),
      expected: [
        {
          act: 'subscription remove',
          subject: name,
          before: { subscribers: { [id]: [person.id] } },
        },
      ],
    };
  },
  'update-subscriptions': async () => {
    const name = unique('by the way ');
    return {
      ask: () => as.patch('/users/me/subscriptions', { add: [{ name }] }),
      expected: [
        { act: 'channel create', subject: name, after: expect.objectContaining({ name }) },
      ],
    };
  },
  'add-default-channel': async () => {
    const { id, name } = await channel();
    return {
      ask: () => as.post('/default_streams', { stream_id: id }),
      expected: [{ act: 'default_channel add', subject: name, details: { channelId: id } }],
    };
  },
  'remove-default-channel': async () => {
    const { id, name } = await channel();
    await as.post('/default_streams', { stream_id: id });
    return {
      ask: () => as.delete('/default_streams', { stream_id: id }),
      expected: [{ act: 'default_channel remove', subject: name, details: { channelId: id } }],
    };
  },
  'create-channel-folder': async () => {
    const name = unique('New folder ');
    return {
      ask: () => as.post('/channel_folders/create', { name, description: 'd' }),
      expected: [
        {
          act: 'folder create',
          subject: name,
          after: expect.objectContaining({ name, description: 'd' }),
        },
      ],
    };
  },
  'update-channel-folder': async () => {
    const { id, name } = await folder();
    const other = unique('Otherwise ');
    return {
      ask: () => as.patch(`/channel_folders/${id}`, { name: other }),
      expected: [{ act: 'folder change', subject: name, before: { name }, after: { name: other } }],
    };
  },
  'reorder-channel-folders': async () => {
    await folder();
    await folder();
    const order = await idsIn('/channel_folders', 'channel_folders');
    return {
      ask: () => as.patch('/channel_folders', { order: order.toReversed() }),
      expected: [
        {
          act: 'folder order',
          subject: `${order.length} folders`,
          before: { order },
          after: { order: order.toReversed() },
        },
      ],
    };
  },
};
