// How the gallery is shown. The address has it all, so that a test and a person can open the same picture.
import { localeOf, type Language, type Locale } from '../../i18n/locale.tsx';

export const themes = ['dark', 'light'] as const;
export const palettes = ['classic', 'colour-blind', 'red-up', 'monochrome'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const languages = ['en', 'fa'] as const;

export interface Settings {
  readonly theme: (typeof themes)[number];
  readonly palette: (typeof palettes)[number];
  readonly density: (typeof densities)[number];
  readonly language: Language;
}

function oneOf<T extends string>(list: readonly [T, ...T[]], value: string | null): T {
  return list.find((known) => known === value) ?? list[0];
}

export function readSettings(search: string): Settings {
  const given = new URLSearchParams(search);
  return {
    theme: oneOf(themes, given.get('theme')),
    palette: oneOf(palettes, given.get('palette')),
    density: oneOf(densities, given.get('density')),
    language: oneOf(languages, given.get('language')),
  };
}

export function printSettings(settings: Settings): string {
  return `?${new URLSearchParams({ ...settings }).toString()}`;
}

export function localeOfSettings(settings: Settings): Locale {
  return localeOf(settings.language);
}

/** Puts the settings on the page itself, as the server does for the client. */
export function dressPage(page: HTMLElement, settings: Settings): void {
  page.lang = settings.language;
  page.dir = localeOfSettings(settings).direction;
  page.dataset['theme'] = settings.theme;
  page.dataset['palette'] = settings.palette;
  page.dataset['density'] = settings.density;
}
