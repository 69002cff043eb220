// Requests about accounts, groups, presence, and personal data.
import { gateOnly, asked, type Requests } from './request.ts';

export const PEOPLE: Requests = {
  // Accounts and keys.
  'get-server-settings': gateOnly,
  'fetch-api-key': [
    {
      on: 'user',
      needs: 'nothing',
      form: ({ email }) => ({ username: email, password: 'not the password' }),
    },
  ],
  'regenerate-api-key': [{ on: 'nothing', needs: 'just ask', isLast: true }],
  'get-own-user': asked({}),
  // Everybody has only their own devices; nobody here has any, and no relay is configured.
  'add-apns-token': asked({ token: 'aa11', appid: 'org.example.app' }),
  'remove-apns-token': gateOnly,
  'add-fcm-token': asked({ token: 'a token' }),
  'remove-fcm-token': gateOnly,
  'test-push-tokens': gateOnly,
  'register-client-device': asked({}),
  'remove-client-device': gateOnly,
  'register-push-device': gateOnly,
  'test-push-devices': gateOnly,
  'get-web-push-key': asked({}),
  'subscribe-browser': gateOnly,
  'get-browser-subscriptions': asked({}),
  'test-browser': gateOnly,
  'unsubscribe-browser': gateOnly,
  'deactivate-own-user': [{ on: 'nothing', needs: 'just ask', isLast: true }],
  'get-users': asked({ include_custom_profile_fields: true }),
  'get-user': [{ on: 'user', needs: 'know the person' }],
  'get-user-by-email': [{ on: 'user', needs: 'find the person by address' }],
  'update-user': [
    {
      on: 'user',
      needs: 'change the person',
      form: (_, { unique }) => ({ full_name: `Named ${unique}` }),
    },
  ],
  'update-user-by-email': [
    {
      on: 'user',
      needs: 'change the person',
      form: (_, { unique }) => ({ full_name: `Called ${unique}` }),
    },
  ],
  'create-user': gateOnly,
  'deactivate-user': [
    { on: 'user', needs: 'change the person', relations: ['missing', 'shared'], isLast: true },
  ],
  'reactivate-user': [
    { on: 'user', needs: 'change the person', relations: ['missing', 'shared'], isLast: true },
  ],
  'update-settings': [
    { on: 'nothing', needs: 'just ask', form: () => ({ timezone: 'Europe/Vienna' }) },
  ],
  'set-avatar': gateOnly,
  'remove-avatar': gateOnly,
  'get-bots': asked({}),
  'create-bot': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: (_, { unique }) => ({ full_name: `Bot ${unique}`, short_name: `bot-${unique}` }),
    },
    {
      on: 'nothing',
      needs: 'just ask',
      form: (_, { unique }) => ({
        full_name: `Hook ${unique}`,
        short_name: `hook-${unique}`,
        bot_type: 3,
        payload_url: 'https://hook.example/',
      }),
    },
  ],
  'update-bot': [
    {
      on: 'bot',
      needs: 'have it, or be an administrator',
      form: (_, { unique }) => ({ full_name: `Bot, ${unique}` }),
    },
  ],
  'get-bot-api-key': [{ on: 'bot', needs: 'have it, or be an administrator' }],
  'regenerate-bot-api-key': [{ on: 'bot', needs: 'have it, or be an administrator', isLast: true }],
  'deactivate-bot': [{ on: 'bot', needs: 'have it, or be an administrator', isLast: true }],

  // Groups: members see all of them.
  'get-user-groups': asked({ include_deactivated_groups: true }),
  'create-user-group': [
    {
      on: 'nothing',
      needs: 'just ask',
      form: (_, { unique }) => ({ name: `group ${unique}`, description: '', members: [] }),
    },
  ],
  'update-user-group': [
    {
      on: 'group',
      needs: 'have it, or be an owner',
      form: (_, { unique }) => ({ description: unique }),
    },
  ],
  'get-user-group-members': [{ on: 'group', needs: 'know the group' }],
  'update-user-group-members': [
    {
      on: 'group',
      needs: 'have it, or be an owner',
      form: (_, { friendId }) => ({ add: [friendId] }),
    },
  ],
  'get-is-user-group-member': [{ on: 'group', needs: 'know the group', isOpenEnded: true }],
  'get-user-group-subgroups': [{ on: 'group', needs: 'know the group' }],
  'update-user-group-subgroups': [
    { on: 'group', needs: 'have it, or be an owner', form: () => ({ add: [3] }) },
  ],
  'deactivate-user-group': [{ on: 'group', needs: 'have it, or be an owner', isLast: true }],

  // Presence: everybody knows everybody, but a person may have no presence yet.
  'update-presence': [
    { on: 'nothing', needs: 'just ask', form: () => ({ status: 'active', slim_presence: true }) },
  ],
  'get-realm-presence': asked({}),
  'get-user-presence': [{ on: 'user', needs: 'know the person', isOpenEnded: true }],
  'get-user-presence-by-email': [{ on: 'user', needs: 'know the person', isOpenEnded: true }],

  'update-status': asked({ status_text: 'at work' }),
  // A bot has none, not even for itself.
  'get-user-status': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'update-status-of-user': [
    { on: 'user', needs: 'change the person', form: () => ({ status_text: 'told to work' }) },
  ],

  // Personal data.
  'mute-user': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'unmute-user': [{ on: 'user', needs: 'know the person', relations: ['missing', 'shared'] }],
  'get-alert-words': asked({}),
  'add-alert-words': asked({ alert_words: ['lighthouse'] }),
  'remove-alert-words': asked({ alert_words: ['lighthouse'] }),
  'update-display-settings': asked({ color_scheme: 1 }),
  'update-notification-settings': asked({ enable_sounds: true }),
  'mark-onboarding-step-as-read': asked({ onboarding_step: 'intro_resolve_topic' }),
  // For bots only.
  'get-bot-storage': gateOnly,
  'update-bot-storage': gateOnly,
  'remove-bot-storage': gateOnly,
  'get-saved-snippets': asked({}),
  'create-saved-snippet': asked({ title: 'greeting', content: 'good day' }),
  'edit-saved-snippet': [{ on: 'snippet', needs: 'have it', form: () => ({ title: 'farewell' }) }],
  'delete-saved-snippet': [{ on: 'snippet', needs: 'have it', isLast: true }],
  'get-navigation-views': asked({}),
  'add-navigation-view': asked({ fragment: 'narrow/is/unread', is_pinned: true, name: 'Unread' }),
  'edit-navigation-view': gateOnly,
  'remove-navigation-view': gateOnly,
};
