/** Paths that clients are told. They are relative to the origin, outside the API's root. */
export const REALM_ICON_PATH = '/static/images/realm-icon.svg';
export const EMOJI_DATA_PATH = '/static/generated/emoji/emoji_api.1.json';
