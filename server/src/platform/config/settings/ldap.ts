// Settings of a directory whose passwords are good here too.
import { Type } from 'typebox';
import { attribute, count, flag, SECRET } from './define.ts';

export const LDAP = {
  LDAP_URL: Type.String({
    pattern: '^ldaps?://[^/?#\\s]+/?$|^$',
    form: 'a URL of a directory without a path',
    example: 'ldaps://directory.example.com',
    default: '',
    description:
      'Directory whose passwords are good here too: ldaps://HOST or ldap://HOST. Empty: none.',
  }),
  LDAP_START_TLS: flag(
    'true',
    'Whether a connection by ldap:// is encrypted before it is used. Without it passwords travel in clear.',
  ),
  LDAP_CA_FILE: Type.String({
    default: '',
    description: 'Certificates (PEM) that may vouch for the directory. Empty: the system’s.',
  }),
  LDAP_BIND_DN: Type.String({
    default: '',
    description: 'Who searches the directory. Empty: searched without a name.',
  }),
  LDAP_BIND_PASSWORD: Type.String({
    ...SECRET,
    default: '',
    description: 'The password of LDAP_BIND_DN.',
  }),
  LDAP_BASE: Type.String({
    default: '',
    description: 'Where in the directory people are, such as ou=people,dc=example,dc=org.',
  }),
  LDAP_FILTER: Type.String({
    pattern: '^\\(.*\\{username\\}.*\\)$',
    form: 'a filter in parentheses that has {username} in it',
    example: '(uid={username})',
    default: '(|(uid={username})(mail={username}))',
    description: 'Finds somebody by what they typed, {username}.',
  }),
  LDAP_EMAIL_ATTRIBUTE: attribute(
    'mail',
    'Joins somebody in the directory to their account here, the first time. People must not be able to change their own.',
  ),
  LDAP_ID_ATTRIBUTE: attribute(
    'entryUUID',
    'What the directory never changes of an entry, and never gives to another: an account stays with it. objectGUID for Active Directory.',
  ),
  LDAP_NAME_ATTRIBUTE: attribute('cn', 'The name that a new account gets.'),
  LDAP_CREATE_ACCOUNTS: flag(
    'false',
    'Whether somebody of the directory who has no account gets one, as a member, when they sign in.',
  ),
  LDAP_TIMEOUT_MS: count(100, 30_000, 5000, 'How long the directory may take for one answer.'),
};
