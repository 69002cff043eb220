/** Clients choose their behaviour by these numbers, so change them only with the behaviour. */
export const ZULIP_VERSION = {
  zulip_version: '11.0',
  zulip_feature_level: 421,
  zulip_merge_base: '11.0',
} as const;
