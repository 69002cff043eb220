// What the client's owner sees of others, read once for its whole initial state. Changes of it are for the nodes.
import type { Sight } from '../../../accounts/users/sight.ts';
import type { RegisterPart, StateQuery } from '../../register-part.ts';
import { readSight } from './access.ts';
import { SIGHT_EVENTS } from './events.ts';

export const loadSight = ({ ctx, db, user }: StateQuery): Promise<Sight> =>
  readSight(ctx, db, user);

export const sightPart = { events: [], internalEvents: SIGHT_EVENTS } satisfies RegisterPart;
