// Which providers open whose account.
import type { Context } from '../../platform/context.ts';
import { readMethodsOff } from '../organization.ts';
import { noSuchProvider } from './errors.ts';
import { findProvider, providersOf, type Provider } from './settings.ts';
import { listIdentities } from './store.ts';

type Reading = Pick<Context, 'db' | 'config'>;

export interface LinkedProvider {
  readonly provider: Provider;
  /** Undefined if it is not linked. */
  readonly linkedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

/** Every provider, with whether it opens this person's account. */
export async function listLinkedProviders(ctx: Reading, userId: number): Promise<LinkedProvider[]> {
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
export async function listProvidersInUse(ctx: Reading): Promise<readonly Provider[]> {
  const providers = providersOf(ctx.config);
  if (providers.length === 0) return [];
  return (await readMethodsOff(ctx.db)).includes('OpenID Connect') ? [] : providers;
}

/** Those that open this person's account at present. */
export async function listProvidersOf(ctx: Reading, userId: number): Promise<readonly Provider[]> {
  const inUse = await listProvidersInUse(ctx);
  if (inUse.length === 0) return [];
  const issuers = new Set((await listIdentities(ctx.db, userId)).map(({ issuer }) => issuer));
  return inUse.filter(({ issuer }) => issuers.has(issuer));
}
