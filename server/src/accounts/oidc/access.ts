// Which providers open whose account.
import type { Context } from '../../platform/context.ts';
import { readMethodsOff } from '../organization.ts';
import { noSuchProvider } from './errors.ts';
import { findProvider, providersOf, type Provider } from './settings.ts';
import { listIdentities } from './store.ts';

export interface LinkedProvider {
  readonly provider: Provider;
  /** Undefined if it is not linked. */
  readonly linkedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

/** Every provider, with whether it opens this person's account. */
export async function listLinkedProviders(ctx: Context, userId: number): Promise<LinkedProvider[]> {
  const identities = await listIdentities(ctx.db, userId);
  return providersOf(ctx.config).map((provider) => {
    const own = identities.filter(({ issuer }) => issuer === provider.issuer);
    const used = own.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]));
    return {
      provider,
      linkedAt: own[0]?.createdAt,
      lastUsedAt: used.toSorted((a, b) => b.getTime() - a.getTime())[0],
    };
  });
}

export function accessProvider({ config }: Pick<Context, 'config'>, id: string): Provider {
  const provider = findProvider(config, id);
  if (provider === undefined) throw noSuchProvider(id);
  return provider;
}

/** Those that people may sign in with at present. */
export async function listProvidersInUse(ctx: Context): Promise<readonly Provider[]> {
  const providers = providersOf(ctx.config);
  if (providers.length === 0) return [];
  return (await readMethodsOff(ctx.db)).includes('OpenID Connect') ? [] : providers;
}
