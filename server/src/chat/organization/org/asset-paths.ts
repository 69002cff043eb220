/** Paths that clients are told. They are relative to the origin, outside the API's root. */
export const REALM_ICON_PATH = '/static/images/realm-icon.png';
/** What clients were told before; some have kept it. */
export const OLDER_REALM_ICON_PATH = '/static/images/realm-icon.svg';
/** Clients keep what they find there, so a changed table needs a new number. */
export const EMOJI_DATA_PATH = '/static/generated/emoji/emoji_api.3.json';
