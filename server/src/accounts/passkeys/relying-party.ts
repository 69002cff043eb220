// For whom passkeys are made: the host that they are bound to, and the origins whose pages may use them.
import { isIP } from 'node:net';
import { originOf, type ApiContext, type Context } from '../../platform/context.ts';

export interface RelyingParty {
  readonly rpId: string;
  /** Exactly these; a page of another host below `rpId` is refused. */
  readonly origins: readonly string[];
}

/** Undefined where browsers refuse passkeys: at an address instead of a name, and over plain http. */
export function relyingPartyOf(
  ctx: Context & Partial<Pick<ApiContext, 'publicUrl'>>,
): RelyingParty | undefined {
  const { WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS } = ctx.config;
  const url = new URL(originOf(ctx));
  if (!canHavePasskeys(url)) return undefined;
  const others = WEBAUTHN_ORIGINS.split(',').filter((origin) => origin !== '');
  return {
    rpId: WEBAUTHN_RP_ID === '' ? url.hostname : WEBAUTHN_RP_ID,
    // As browsers write them: without the port of the scheme.
    origins: [url, ...others.map((origin) => new URL(origin))].map(({ origin }) => origin),
  };
}

export function canHavePasskeys({ protocol, hostname }: URL): boolean {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}
