// Requests about channels, subscriptions and topics.
import { roleGroupId } from '../../../../accounts/users/role-groups.ts';
import { gateOnly, asked, type Requests } from './request.ts';

export const CHANNELS: Requests = {
  // Channels.
  'create-channel': [
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['own', 'shared', 'foreign', 'protected', 'left', 'archived'],
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ name: channelName.toUpperCase(), subscribers: [] }),
    },
  ],
  'get-channels': [
    { on: 'nothing', needs: 'just ask', form: () => ({ include_all: true }) },
    {
      on: 'nothing',
      needs: 'just ask',
      form: () => ({ include_can_access_content: true, exclude_archived: false }),
    },
  ],
  'get-channel': [{ on: 'channel', needs: 'know the channel', shows: 'channelName' }],
  'get-channel-id': [
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'channelId',
      form: ({ channelName }) => ({ stream: channelName.toUpperCase() }),
    },
  ],
  'get-subscribers': [{ on: 'channel', needs: 'know the channel' }],
  'get-channel-email': [{ on: 'channel', needs: 'read the channel' }],
  'update-channel': [
    {
      on: 'channel',
      needs: 'administer the channel',
      form: (_, { unique }) => ({ description: `described by ${unique}` }),
    },
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['missing', 'foreign', 'left'],
      form: () => ({ is_private: false }),
    },
    {
      on: 'channel',
      needs: 'nothing',
      relations: ['missing', 'foreign', 'left'],
      form: (_, { friendId }) => ({
        can_subscribe_group: {
          new: { direct_members: [friendId], direct_subgroups: [roleGroupId('role:members')] },
        },
      }),
    },
  ],
  'archive-channel': [
    { on: 'channel', needs: 'administer the channel', isOpenEnded: true, isLast: true },
  ],

  // Subscriptions.
  'get-subscriptions': asked({ include_subscribers: 'true' }),
  subscribe: [
    {
      on: 'channel',
      needs: 'be subscribed',
      relations: ['own', 'shared', 'foreign', 'protected', 'left', 'archived'],
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ subscriptions: [{ name: channelName.toUpperCase() }] }),
    },
  ],
  unsubscribe: [
    {
      on: 'channel',
      needs: 'administer the channel',
      relations: ['missing', 'shared', 'foreign', 'left'],
      form: ({ channelName }, { friendId }) => ({
        subscriptions: [channelName],
        principals: [friendId],
      }),
      isLast: true,
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelName }) => ({ subscriptions: [channelName.toUpperCase()] }),
      isLast: true,
    },
  ],
  'update-subscriptions': [
    {
      on: 'channel',
      needs: 'know the channel',
      relations: ['missing', 'foreign', 'left'],
      form: ({ channelName }) => ({ delete: [channelName.toUpperCase()] }),
      isLast: true,
    },
  ],
  'update-subscription-settings': [
    {
      on: 'channel',
      needs: 'be subscribed',
      form: ({ channelId }) => ({
        subscription_data: [{ stream_id: channelId, property: 'pin_to_top', value: true }],
      }),
    },
  ],
  'update-subscription-property': [
    {
      on: 'channel',
      needs: 'be subscribed',
      form: () => ({ property: 'is_muted', value: true }),
    },
  ],
  'get-subscription-status': [{ on: 'channel', needs: 'know the channel' }],
  'get-user-channels': [
    { on: 'user', needs: 'know the person', listsChannelsIn: 'subscribed_channel_ids' },
  ],
  'add-default-channel': [
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'remove-default-channel': [
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'create-channel-folder': gateOnly,
  'get-channel-folders': asked({ include_archived: true }),
  'reorder-channel-folders': gateOnly,
  'update-channel-folder': gateOnly,

  // Topics.
  'update-user-topic': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({ stream_id: channelId, topic: 'news', visibility_policy: 3 }),
    },
  ],
  'mute-topic': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({ stream_id: channelId, topic: 'by id', op: 'add' }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelName }) => ({
        stream: channelName.toUpperCase(),
        topic: 'by name',
        op: 'add',
      }),
    },
  ],
};
