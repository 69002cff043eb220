// Settings of custody: the networks whose coins the venue takes.
import { Type } from 'typebox';

export const CUSTODY = {
  CUSTODY_NETWORKS_FILE: Type.String({
    default: '',
    description:
      'A JSON file that names the networks whose coins can be deposited, with their public keys and nodes (docs/operating/custody.md). Empty: none.',
  }),
};
