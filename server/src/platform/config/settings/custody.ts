// Settings of custody: the networks whose coins the venue takes, and who signs what it pays.
import { Type } from 'typebox';
import { count, SECRET } from './define.ts';

export const CUSTODY = {
  CUSTODY_NETWORKS_FILE: Type.String({
    default: '',
    description:
      'A JSON file that names the networks whose coins can be deposited, with their public keys and nodes (docs/operating/custody.md). Empty: none.',
  }),
  CUSTODY_SIGNER_SOCKET: Type.String({
    default: '',
    maxLength: 200,
    description:
      'The Unix socket of the signer (docs/operating/signer.md), for processes with the role custody. Empty: nothing is paid on a network.',
  }),
  CUSTODY_RECONCILE_MINUTES: count(
    1,
    1440,
    60,
    'How often processes with the role custody compare the coins on each network with the ledger.',
  ),
  SCREENING_URL: Type.String({
    // It may hold a key of the service.
    ...SECRET,
    default: '',
    maxLength: 500,
    pattern: '^(https?://[^ ]+)?$',
    form: 'an address that begins with https:// or http://',
    example: 'https://screening.example/ask',
    description:
      'Who is asked before a deposit is credited and before a withdrawal is queued (docs/operating/custody.md); for processes with the roles api and custody. Empty: nobody.',
  }),
};
