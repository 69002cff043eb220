// One request for each audited route.
import { ARRIVALS } from './test-arrivals.ts';
import { CHANNELS } from './test-channels.ts';
import { GROUPS } from './test-groups.ts';
import { KEYS } from './test-keys.ts';
import { ORGANIZATION } from './test-organization.ts';
import { PASSKEYS } from './test-passkeys.ts';
import { PEOPLE } from './test-people.ts';
import { PROVIDERS } from './test-providers.ts';

export const CASES = {
  ...KEYS,
  ...PASSKEYS,
  ...PEOPLE,
  ...GROUPS,
  ...CHANNELS,
  ...ORGANIZATION,
  ...ARRIVALS,
  ...PROVIDERS,
};
