// Empty answers for features that do not exist here but that clients fetch.
import type { LoadState, RegisterPart } from '../../register-part.ts';

/** By the name that a client fetches. */
const EMPTY: Readonly<Record<string, Record<string, unknown>>> = {
  realm_filters: { realm_filters: [] },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  stop_words: { stop_words: [] },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  giphy: { giphy_api_key: '' },
  tenor: { tenor_api_key: '' },
  klipy: { klipy_api_key: '' },
};

export const absentPart = {
  load: Object.fromEntries(
    Object.entries(EMPTY).map(([type, fields]): [string, LoadState] => [type, () => fields]),
  ),
  events: [],
} satisfies RegisterPart;
