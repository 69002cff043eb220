// The settings and limits that pages tell.
import { LIMITS } from '../../chat/limits.ts';
import { ConfigSchema } from '../../platform/config/schema.ts';
import { BODY_BYTES_MAX } from '../../trading/http/bodies.ts';
import { TOLD_SETTINGS, type ToldLimits, type ToldSettings } from './page.ts';

interface HasDefault {
  readonly default?: number;
}

export const toldLimits: ToldLimits = { chat: LIMITS, tradingBodyBytes: BODY_BYTES_MAX };

/** Those of a running server. Nothing else of its configuration reaches the pages. */
export const pickSettings = (config: ToldSettings): ToldSettings =>
  Object.fromEntries(TOLD_SETTINGS.map((name) => [name, config[name]])) as ToldSettings;

/** Those of a server whose operator has set nothing, for files that no server serves. */
export const defaultSettings = (): ToldSettings =>
  Object.fromEntries(
    TOLD_SETTINGS.map((name) => [name, (ConfigSchema.properties[name] as HasDefault).default]),
  ) as ToldSettings;
