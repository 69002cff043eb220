/** Clients choose their behaviour by these; they are a contract, not a boast. */
export const ZULIP_VERSION = {
  zulip_version: '11.0',
  zulip_feature_level: 421,
  zulip_merge_base: '11.0',
} as const;
