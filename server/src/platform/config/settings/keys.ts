// Settings of the keys of an installation: the master key, and the keys that sign the audit log and the public log.
import { Type } from 'typebox';
import { count, SECRET } from './define.ts';

export const KEYS = {
  MASTER_KEY: Type.String({
    ...SECRET,
    pattern: '^[0-9a-f]{64}$',
    form: '64 hexadecimal digits in lower case',
    example: 'as `openssl rand -hex 32` prints them',
    description:
      'Wraps every stored secret: 64 hexadecimal digits. Make one with: openssl rand -hex 32',
  }),
  MASTER_KEY_PREVIOUS: Type.String({
    ...SECRET,
    pattern: '^([0-9a-f]{64})?$',
    form: '64 hexadecimal digits in lower case',
    example: 'as `openssl rand -hex 32` prints them',
    default: '',
    description:
      'A second master key that is accepted while MASTER_KEY is changed; see docs/operating/master-key.md. Empty: none.',
  }),
  AUDIT_SIGNING_KEY: Type.String({
    ...SECRET,
    pattern: '^[A-Za-z0-9_-]{43}$|^$',
    form: 'a key of 43 characters',
    example: 'as `rialto audit-key` prints it',
    default: '',
    description:
      'Signs the head of the audit log; `rialto audit-key` makes one. Only the role worker needs it; better given as AUDIT_SIGNING_KEY_FILE. Empty: the log is chained but not signed, and nobody can tell that its end was cut off.',
  }),
  AUDIT_HEAD_EVERY_MINUTES: count(
    1,
    1440,
    60,
    'How often the head of the audit log is signed and published.',
  ),
  AUDIT_HEAD_FILE: Type.String({
    default: '',
    description:
      'A file that every signed head is appended to, on another machine if possible. Empty: heads are in the database, in the log of the server and at /v1/public/audit_head.',
  }),
  PUBLIC_SIGNING_KEY: Type.String({
    ...SECRET,
    pattern: '^[A-Za-z0-9_-]{43}$|^$',
    form: 'a key of 43 characters',
    example: 'as `rialto signing-key` prints it',
    default: '',
    description:
      'Signs the heads of the public log and the receipts of orders; `rialto signing-key` makes one. The roles worker and api need it; better given as PUBLIC_SIGNING_KEY_FILE. Empty: the log is chained but not signed, and there are no receipts.',
  }),
};
