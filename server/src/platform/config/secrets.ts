// Which settings are secret, by the schema, and which texts must therefore never be shown anywhere.
import type { TSchema } from 'typebox';
import { readProviders } from './oidc-providers.ts';
import { ConfigSchema, type Config } from './schema.ts';

/** Shorter texts would match everywhere. */
const CHARACTERS_MIN = 6;

export const SECRET_SETTINGS: readonly string[] = Object.entries(
  ConfigSchema.properties as Readonly<Record<string, TSchema>>,
)
  .filter(([, schema]) => 'secret' in schema && schema.secret === true)
  .map(([name]) => name);

export const isSecretSetting = (name: string): boolean => SECRET_SETTINGS.includes(name);

/**
 * Every text that must not be shown: the secrets themselves, and the passwords in URLs, decoded and
 * as written.
 */
export function secretValues(config: Config): string[] {
  const values = new Set<string>();
  const settings: Readonly<Record<string, unknown>> = config;
  for (const name of SECRET_SETTINGS) {
    const text = settings[name];
    if (typeof text !== 'string') continue;
    if (!URL.canParse(text)) values.add(text);
    else {
      const { username, password } = new URL(text);
      // NATS takes a token in place of the name.
      const word = password === '' ? username : password;
      for (const form of [word, decoded(word)]) values.add(form);
    }
  }
  for (const { clientSecret } of readProviders(config).providers) values.add(clientSecret);
  return [...values].filter((text) => text.length >= CHARACTERS_MIN);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
