// Settings of the mail server that takes our emails.
import { Type } from 'typebox';
import { count, SECRET } from './define.ts';

export const MAIL = {
  SMTP_URL: Type.String({
    ...SECRET,
    pattern: '^smtps?://[^/?#\\s]+$|^$',
    form: 'a URL of a mail server without a path',
    example: 'smtp://mail.example.com:587',
    default: '',
    description:
      'The mail server that sends our emails: smtp://host:587, or smtps://host:465 for TLS from the start. Empty: emails wait, and the log says so.',
  }),
  SMTP_USER: Type.String({ default: '', description: 'Name to sign in with at the mail server.' }),
  SMTP_PASSWORD: Type.String({
    ...SECRET,
    default: '',
    description: 'Password to sign in with at the mail server; better given as SMTP_PASSWORD_FILE.',
  }),
  SMTP_TLS: Type.Union(
    [Type.Literal('required'), Type.Literal('opportunistic'), Type.Literal('off')],
    {
      default: 'required',
      description:
        'For smtp://: required refuses a server without STARTTLS, opportunistic uses it if offered, off is for a server on this machine.',
    },
  ),
  MAIL_FROM: Type.String({
    pattern: '^[^\\s@<>",;]+@[^\\s@<>",;]+$|^$',
    form: 'a bare email address, without a name',
    example: 'rialto@example.com',
    default: '',
    description: 'The address that emails come from, such as rialto@example.com.',
  }),
  MAIL_DEADLINE_MS: count(
    100,
    300_000,
    30_000,
    'How long the mail server may take for one email before it is tried again later.',
  ),
};
