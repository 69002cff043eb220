// All requests of the matrix, by the name of the route.
import { CHANNELS } from './channels.ts';
import { FILES } from './files.ts';
import { ORGANIZATION } from './organization.ts';
import { PEOPLE } from './people.ts';
import { READING } from './reading.ts';
import { WRITING } from './writing.ts';
import type { Requests } from './request.ts';

export const REQUESTS: Requests = {
  ...PEOPLE,
  ...ORGANIZATION,
  ...READING,
  ...WRITING,
  ...CHANNELS,
  ...FILES,
};
