// Settings of an LDAP directory whose passwords are accepted here.
import { Type } from 'typebox';
import { attribute, count, flag, SECRET } from './define.ts';

export const LDAP = {
  LDAP_URL: Type.String({
    pattern: '^ldaps?://[^/?#\\s]+/?$|^$',
    form: 'a URL of a directory without a path',
    example: 'ldaps://directory.example.com',
    default: '',
    description:
      'LDAP directory whose passwords are accepted here: ldaps://HOST or ldap://HOST. Empty: none.',
  }),
  LDAP_START_TLS: flag(
    'true',
    'Whether a connection by ldap:// is encrypted before it is used. Without it passwords travel unencrypted.',
  ),
  LDAP_CA_FILE: Type.String({
    default: '',
    description: 'Certificates (PEM) that are trusted for the directory. Empty: the system’s.',
  }),
  LDAP_BIND_DN: Type.String({
    default: '',
    description: 'The entry as which the directory is searched. Empty: anonymously.',
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
    description: 'The filter that finds a person; {username} stands for what they typed.',
  }),
  LDAP_EMAIL_ATTRIBUTE: attribute(
    'mail',
    'The email attribute, which connects an entry to an account here at the first sign-in. People must not be able to change their own.',
  ),
  LDAP_ID_ATTRIBUTE: attribute(
    'entryUUID',
    'The attribute that never changes and is never reused: it ties an account to its entry. objectGUID for Active Directory.',
  ),
  LDAP_NAME_ATTRIBUTE: attribute('cn', 'The name that a new account gets.'),
  LDAP_CREATE_ACCOUNTS: flag(
    'false',
    'Whether a person of the directory without an account gets one, as a member, when they sign in.',
  ),
  LDAP_TIMEOUT_MS: count(100, 30_000, 5000, 'How long the directory may take for one answer.'),
};
