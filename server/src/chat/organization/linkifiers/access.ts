// The organization's patterns, for whoever renders and whoever shows.
import type { Db } from '../../../platform/db/pool.ts';
import type { EnvLinkifier } from '../../text/markdown/env.ts';
import { listLinkifiers } from './store.ts';

export { listLinkifiers };

/** As rendering wants them, in their order. */
export async function readPatterns(db: Db): Promise<EnvLinkifier[]> {
  const linkifiers = await listLinkifiers(db);
  return linkifiers.map(({ pattern, url_template }) => ({ pattern, urlTemplate: url_template }));
}
