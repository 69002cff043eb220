/** The versions that clients adapt to. Part of the API's contract. */
export const ZULIP_VERSION = {
  zulip_version: '11.0',
  zulip_feature_level: 421,
  zulip_merge_base: '11.0',
} as const;
