/** Paths that clients get. They are relative to the origin, outside the API's root. */
export const REALM_ICON_PATH = '/static/images/realm-icon.png';
/** An earlier path; some clients still use it. */
export const OLDER_REALM_ICON_PATH = '/static/images/realm-icon.svg';
/** Clients cache the file, so a changed table needs a new number. */
export const EMOJI_DATA_PATH = '/static/generated/emoji/emoji_api.3.json';
