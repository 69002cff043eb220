// A provider announces that somebody signed out there: their sessions here end too.
import type { Context } from '../../platform/context.ts';
import { noteNothing } from '../audit/actions.ts';
import { endSessionsOfProvider } from '../sessions/provider.ts';
import { BadClaims } from './claims.ts';
import { ProviderAway, ProviderRefused } from './client.ts';
import { OidcRefusal } from './errors.ts';
import { checkLogoutToken, type Logout } from './logout-token.ts';
import type { Provider } from './settings.ts';
import { deleteOldLogouts, findUserOfIdentity, insertLogout } from './store.ts';

/** Returns how many sessions ended. A token is good once; the second time is refused. */
export async function obeyLogout(ctx: Context, provider: Provider, token: string): Promise<number> {
  const logout = await check(ctx, provider, token);
  return ctx.inTransaction(async (tx) => {
    // The mark and what it allows are one commit.
    if (!(await insertLogout(tx, provider.issuer, logout.jti)))
      throw refuse(ctx, provider, 'replayed');
    const { sid, subject } = logout;
    const user =
      subject === undefined
        ? undefined
        : await findUserOfIdentity(tx, { issuer: provider.issuer, subject });
    // Nobody here has this identity, so nobody has a session by it.
    const isNobody = subject !== undefined && user === undefined;
    const ended = isNobody
      ? 0
      : await endSessionsOfProvider(tx, { provider: provider.id, sid, userId: user?.id });
    if (ended === 0) noteNothing(tx);
    return ended;
  });
}

async function check(ctx: Context, provider: Provider, token: string): Promise<Logout> {
  try {
    return await checkLogoutToken(provider, token, Date.now());
  } catch (error) {
    if (error instanceof ProviderAway) throw new OidcRefusal('away');
    if (error instanceof BadClaims || error instanceof ProviderRefused) {
      throw refuse(ctx, provider, error.message);
    }
    throw error;
  }
}

function refuse(ctx: Context, provider: Provider, reason: string): OidcRefusal {
  ctx.log.warn(
    { provider: provider.id, reason },
    'A logout that a provider announced was refused.',
  );
  return new OidcRefusal('refused');
}

/** Forgets logouts whose tokens are refused for their age by now; returns how many. */
export const forgetLogouts = ({ db }: Context): Promise<number> => deleteOldLogouts(db);
