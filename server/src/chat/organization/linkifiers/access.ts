// Reads the organization's linkifiers, for rendering and for listing.
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import type { EnvLinkifier } from '../../text/markdown/env.ts';
import { listLinkifiers } from './store.ts';

export { listLinkifiers };

/** In the form that rendering takes, in their order. */
export const readPatterns = (db: Db): Promise<EnvLinkifier[]> =>
  remembered(db, 'linkifiers', [ABOUT.everybody], async () => {
    const linkifiers = await listLinkifiers(db);
    return linkifiers.map(({ pattern, url_template }) => ({ pattern, urlTemplate: url_template }));
  });
