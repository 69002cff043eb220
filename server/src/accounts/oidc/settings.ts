// The providers that people may sign in with, as the operator's file names them.
import type { Config } from '../../platform/config/schema.ts';
import { readProviders, type Provider } from '../../platform/config/oidc-providers.ts';

export type { Provider };

type Settings = Pick<Config, 'OIDC_PROVIDERS_FILE' | 'OIDC_ALLOW_HTTP' | 'MONEY'>;

/** The file is read once for each configuration; it was checked when that was loaded. */
const known = new WeakMap<Settings, readonly Provider[]>();

export function providersOf(config: Settings): readonly Provider[] {
  let providers = known.get(config);
  if (providers === undefined) {
    ({ providers } = readProviders(config));
    known.set(config, providers);
  }
  return providers;
}

export const findProvider = (config: Settings, id: string): Provider | undefined =>
  providersOf(config).find((provider) => provider.id === id);

export const LOGIN_PATH = '/accounts/login/oidc/';

/** Where people go to sign in with it. */
export const loginPathOf = ({ id }: Pick<Provider, 'id'>): string => `${LOGIN_PATH}${id}/`;

export const callbackPathOf = (provider: Pick<Provider, 'id'>): string =>
  `${loginPathOf(provider)}callback/`;
