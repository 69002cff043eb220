/** Paths that clients are told, relative to the origin and outside the API's root. */
export const REALM_ICON_PATH = '/static/images/realm-icon.png';
/** The former path, which some clients have kept. */
export const OLDER_REALM_ICON_PATH = '/static/images/realm-icon.svg';
/** Clients cache the file, so a changed table needs a new number. */
export const EMOJI_DATA_PATH = '/static/generated/emoji/emoji_api.3.json';
