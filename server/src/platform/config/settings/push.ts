// Settings of notifications to phones and browsers.
import { Type } from 'typebox';
import { count, flag, SECRET } from './define.ts';

export const PUSH = {
  PUSH_RELAY_URL: Type.String({
    pattern: '^https?://[^/?#]+$|^$',
    form: 'an origin without a path',
    example: 'https://push.example.com',
    default: '',
    description:
      'The relay through which published mobile apps get notifications, such as https://push.example. Empty: none.',
  }),
  PUSH_RELAY_ORG_ID: Type.String({
    default: '',
    description: 'The id of this server at the relay (a UUID).',
  }),
  PUSH_RELAY_ORG_KEY: Type.String({
    ...SECRET,
    default: '',
    description:
      'The key that belongs to PUSH_RELAY_ORG_ID; better given as PUSH_RELAY_ORG_KEY_FILE.',
  }),
  PUSH_RELAY_TIMEOUT_MS: count(100, 60_000, 15_000, 'How long the relay may take for one answer.'),
  WEB_PUSH_PUBLIC_KEY: Type.String({
    pattern: '^[A-Za-z0-9_-]{87}$|^$',
    form: 'a key of 87 characters',
    example: 'as `rialto web-push-keys` prints it',
    default: '',
    description:
      'The public key by which browsers’ push services recognise this server; `rialto web-push-keys` makes a pair. Empty: browsers are not notified.',
  }),
  WEB_PUSH_PRIVATE_KEY: Type.String({
    ...SECRET,
    pattern: '^[A-Za-z0-9_-]{43}$|^$',
    form: 'a key of 43 characters',
    example: 'as `rialto web-push-keys` prints it',
    default: '',
    description: 'The private key of that pair; better given as WEB_PUSH_PRIVATE_KEY_FILE.',
  }),
  WEB_PUSH_CONTACT: Type.String({
    pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$|^$',
    form: 'a mailto: or https:// address',
    example: 'mailto:operator@example.com',
    default: '',
    description:
      'Whom a push service may contact: mailto:operator@example.com, or an https address.',
  }),
  WEB_PUSH_ALLOW_PRIVATE: flag(
    'false',
    'Whether browsers may be notified at addresses without https or in private networks, for tests and your own push services.',
  ),
};

export const PUSH_DEVICES = {
  PUSH_DEVICES_PER_USER_MAX: count(
    1,
    1000,
    50,
    'How many phones, how many tokens and how many browsers one person may have notified.',
  ),
};
