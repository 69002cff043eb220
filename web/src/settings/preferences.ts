// How the client looks on this device: what the account has no setting for is kept in this browser.
import type { Calendar, Digits, Language } from '../i18n/locale.tsx';

export const THEMES = ['system', 'dark', 'light'] as const;
export const PALETTES = ['classic', 'colour-blind', 'red-up', 'monochrome'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Theme = (typeof THEMES)[number];
export type Palette = (typeof PALETTES)[number];
export type Density = (typeof DENSITIES)[number];

/** Kept in this browser. Undefined: as the language has it. */
export interface Preferences {
  readonly palette: Palette;
  readonly density: Density;
  readonly digits: Digits | undefined;
  readonly calendar: Calendar | undefined;
  /** Whether keys without Ctrl do something. */
  readonly hasKeys: boolean;
  /** Whether amounts of one's own are covered, for when others can see the screen. */
  readonly hidesAmounts: boolean;
  /** Whether the trade view tells of orders that were filled, and whether it sounds. */
  readonly tellsFills: boolean;
  readonly soundsFills: boolean;
}

export const DEFAULTS: Preferences = {
  palette: 'classic',
  density: 'comfortable',
  digits: undefined,
  calendar: undefined,
  hasKeys: true,
  hidesAmounts: false,
  tellsFills: true,
  soundsFills: false,
};

const KEY = 'rialto.preferences';

/** Whatever a browser has stored, also what another version of us did. */
export function parsePreferences(text: string | null): Preferences {
  const given = recordIn(text);
  const oneOf = <T extends string>(values: readonly T[], name: string): T | undefined =>
    values.find((value) => value === given[name]);
  return {
    palette: oneOf(PALETTES, 'palette') ?? DEFAULTS.palette,
    density: oneOf(DENSITIES, 'density') ?? DEFAULTS.density,
    digits: oneOf(['latin', 'persian'], 'digits'),
    calendar: oneOf(['gregorian', 'persian'], 'calendar'),
    hasKeys: given['hasKeys'] !== false,
    hidesAmounts: given['hidesAmounts'] === true,
    tellsFills: given['tellsFills'] !== false,
    soundsFills: given['soundsFills'] === true,
  };
}

function recordIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export interface PreferenceStore {
  current(): Preferences;
  change(changes: Partial<Preferences>): void;
  subscribe(listener: () => void): () => void;
}

/** Other tabs follow. Without storage, choices last as long as the page. */
export function createPreferences(page: Window): PreferenceStore {
  let now = parsePreferences(read(page));
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  page.addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return;
    now = parsePreferences(read(page));
    tell();
  });
  return {
    current: () => now,
    change(changes) {
      now = { ...now, ...changes };
      try {
        page.localStorage.setItem(KEY, JSON.stringify(now));
      } catch {
        // A browser without storage: see above.
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(page: Window): string | null {
  try {
    return page.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The account's `color_scheme`. */
const SCHEMES: Readonly<Record<number, Theme>> = { 1: 'system', 2: 'dark', 3: 'light' };
export const themeOf = (scheme: unknown): Theme =>
  (typeof scheme === 'number' ? SCHEMES[scheme] : undefined) ?? 'system';
export const schemeOf = (theme: Theme): 1 | 2 | 3 =>
  theme === 'system' ? 1 : theme === 'dark' ? 2 : 3;

/** The account's `default_language`, which may be one that we do not speak. */
export const languageOf = (tag: unknown): Language | undefined =>
  typeof tag !== 'string' ? undefined : (['en', 'fa'] as const).find((one) => tag.startsWith(one));
