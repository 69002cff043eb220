// Which names a client may put into `event_types`. A name that is nothing would be a queue that never delivers, and its
// author would wait. Clients of Zulip also name types that this server does not have, and they are not refused for that.
import { SECURITY_EVENTS } from '../../../accounts/notices/events.ts';
import { badRequest } from '../../http/errors.ts';
import { PUBLIC_TYPES } from './catalog.ts';
import { PARTS } from './parts.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * What servers of Zulip send or sent, and this one does not. Taken from `zerver/lib/event_types.py` and
 * `zerver/lib/events.py` of Zulip (feature level 421 and older), and from the changelog of its API for those that are
 * gone.
 */
const OF_ZULIP: readonly string[] = words(`
  heartbeat restart web_reload_client has_zoom_token has_webex_token realm_export realm_export_consent
  realm_filters hotspots pointer update_display_settings update_global_notifications zulip_version
`);

/** Where a client gives no `fetch_event_types`, its list also names what it fetches. */
const FETCHED: readonly string[] = PARTS.flatMap(({ load = {} }) => Object.keys(load));

/** Ours, for clients that name them: nobody else gets them. */
const ON_REQUEST: readonly string[] = SECURITY_EVENTS.map(
  ({ properties }) => properties.type.const,
);

const HARMLESS: ReadonlySet<string> = new Set([...OF_ZULIP, ...FETCHED]);
const KNOWN: ReadonlySet<string> = new Set([...PUBLIC_TYPES, ...ON_REQUEST]);

/** Names shown in a refusal, and how much of each. */
const SHOWN_MAX = 10;
const NAME_SHOWN_MAX = 40;

/** Refuses names of nothing; `others` are the types that are not the chat's. */
export function checkEventTypes(
  types: readonly string[],
  others: ReadonlySet<string> | undefined,
): void {
  const unknown = [...new Set(types)].filter(
    (type) => !KNOWN.has(type) && !HARMLESS.has(type) && others?.has(type) !== true,
  );
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, SHOWN_MAX).map((name) => name.slice(0, NAME_SHOWN_MAX));
  const known = [...KNOWN, ...(others ?? [])].sort();
  const more = unknown.length > shown.length ? ` and ${unknown.length - shown.length} more` : '';
  throw badRequest(
    `event_types names what does not exist here: ${shown.map((name) => `'${name}'`).join(', ')}${more}. ` +
      'Nothing would ever come of it, so no queue was opened. `known_event_types` has the names that exist.',
    { unknown_event_types: shown, known_event_types: known },
  );
}
