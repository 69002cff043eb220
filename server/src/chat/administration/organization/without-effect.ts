// Settings that clients know and that would have no effect here. A change to such a value is refused with the reason:
// an organization must not believe that it has, for example, a digest.
import type { Config } from '../../../platform/config/schema.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';

type Limits = Pick<Config, 'WEB_PUBLIC_STREAMS_ENABLED'>;

/** Why the value would have no effect; undefined when it works. */
type Reason = (value: RealmValue, config: Limits) => string | undefined;

const whenTrue =
  (reason: string): Reason =>
  (value) =>
    value === true ? reason : undefined;

const REASONS: Readonly<Record<string, Reason>> = {
  inline_url_embed_preview: whenTrue(
    'This server does not fetch pages that messages link to, so it has no previews of them.',
  ),
  digest_emails_enabled: whenTrue('This server sends no digest emails.'),
  enable_spectator_access: (value, { WEB_PUBLIC_STREAMS_ENABLED }) =>
    value === true && WEB_PUBLIC_STREAMS_ENABLED !== 'true'
      ? 'Web-public channels are not enabled on this server. Its operators can allow them (WEB_PUBLIC_STREAMS_ENABLED).'
      : undefined,
};

export const whyWithoutEffect = (
  name: string,
  value: RealmValue,
  config: Limits,
): string | undefined =>
  Object.hasOwn(REASONS, name) ? REASONS[name]?.(value, config) : undefined;
