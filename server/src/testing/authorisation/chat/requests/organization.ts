// Requests about the organization, and about event queues.
import { gateOnly, asked, type Requests } from './request.ts';

export const ORGANIZATION: Requests = {
  // The organization.
  'update-realm': asked({}),
  'update-realm-user-settings-defaults': asked({}),
  'get-audit-log': asked({}),
  'get-profile-fields': asked({}),
  'create-profile-field': gateOnly,
  'reorder-profile-fields': gateOnly,
  'update-profile-field': gateOnly,
  'delete-profile-field': gateOnly,
  'update-profile-data': asked({ data: [] }),
  'remove-profile-data': asked({ data: [] }),

  'get-linkifiers': asked({}),
  'reorder-linkifiers': gateOnly,
  'create-linkifier': gateOnly,
  'update-linkifier': gateOnly,
  'delete-linkifier': gateOnly,
  'create-playground': gateOnly,
  'delete-playground': gateOnly,
  'get-custom-emoji': asked({}),
  'upload-custom-emoji': gateOnly,
  'deactivate-custom-emoji': gateOnly,

  // Email domains.
  'get-realm-domains': asked({}),
  'add-realm-domain': gateOnly,
  'update-realm-domain': gateOnly,
  'remove-realm-domain': gateOnly,

  // Invitations. An invitation with a channel lets a person into that channel.
  'get-invites': asked({}),
  'send-invites': [
    {
      on: 'channel',
      needs: 'move into the channel',
      form: ({ channelId }, { unique }) => ({
        invitee_emails: `for-${unique}@example.org`,
        stream_ids: [channelId],
      }),
    },
  ],
  'create-invite-link': [
    {
      on: 'channel',
      needs: 'move into the channel',
      form: ({ channelId }) => ({ stream_ids: [channelId] }),
    },
  ],
  'resend-invite': [{ on: 'invitation', needs: 'have it, or be an administrator' }],
  'revoke-invite': [{ on: 'invitation', needs: 'have it, or be an administrator', isLast: true }],
  'revoke-invite-link': [
    { on: 'invitation', needs: 'have it, or be an administrator', isLast: true },
  ],
  'register-account': [
    {
      on: 'nothing',
      needs: 'just ask',
      isOpenEnded: true,
      form: () => ({ key: 'a'.repeat(52), full_name: 'Nobody', password: 'not very long' }),
    },
  ],

  // Event queues.
  'register-queue': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: () => ({
        include_subscribers: 'true',
        client_capabilities: { archived_channels: true, include_deactivated_groups: true },
      }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      isOpenEnded: true,
      mayTellThatItExists: true,
      form: ({ channelName }) => ({ narrow: [['channel', channelName]] }),
    },
  ],
  'get-events': [
    {
      on: 'queue',
      needs: 'have it',
      form: ({ queueId }) => ({ queue_id: queueId, last_event_id: -1, dont_block: true }),
    },
  ],
  'delete-queue': [
    { on: 'queue', needs: 'have it', isLast: true, form: ({ queueId }) => ({ queue_id: queueId }) },
  ],
};
