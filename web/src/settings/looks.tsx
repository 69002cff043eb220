// How the client looks and which language it speaks, for everything inside: from the account, and from this browser.
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { LocaleProvider, localeOf, type Language } from '../i18n/locale.tsx';
import { settingOf } from '../state/select.ts';
import { useSelect } from '../state/react.ts';
import type { Store } from '../state/store.ts';
import {
  languageOf,
  themeOf,
  type Preferences,
  type PreferenceStore,
  type Theme,
} from './preferences.ts';

interface Looks {
  readonly preferences: Preferences;
  readonly theme: Theme;
  readonly language: Language;
  change(changes: Partial<Preferences>): void;
}

const LooksContext = createContext<Looks | undefined>(undefined);

export function useLooks(): Looks {
  const looks = use(LooksContext);
  if (looks === undefined) throw new Error('There is no LooksProvider around this component.');
  return looks;
}

export function LooksProvider({
  store,
  preferences: kept,
  children,
}: {
  readonly store: Store;
  readonly preferences: PreferenceStore;
  readonly children: ReactNode;
}) {
  const preferences = useSyncExternalStore(kept.subscribe, kept.current);
  const { boot } = store.client;
  // Until the settings have come, the page itself says what they were.
  const scheme = useSelect(store, (state) => settingOf(state, 'color_scheme'));
  const tag = useSelect(store, (state) => settingOf(state, 'default_language'));
  const theme = scheme === undefined ? knownTheme(boot.theme) : themeOf(scheme);
  const language = languageOf(tag) ?? boot.language;
  const { digits, calendar, palette, density } = preferences;
  const locale = useMemo(
    () => localeOf(language, { digits, calendar }),
    [language, digits, calendar],
  );
  useEffect(() => {
    const page = document.documentElement;
    page.lang = language;
    page.dir = locale.direction;
    if (theme === 'system') delete page.dataset['theme'];
    else page.dataset['theme'] = theme;
    page.dataset['palette'] = palette;
    page.dataset['density'] = density;
  }, [language, locale, theme, palette, density]);
  const looks = useMemo(
    () => ({ preferences, theme, language, change: kept.change }),
    [preferences, theme, language, kept],
  );
  return (
    <LooksContext value={looks}>
      <LocaleProvider locale={locale}>{children}</LocaleProvider>
    </LooksContext>
  );
}

const knownTheme = (word: string): Theme => (word === 'dark' || word === 'light' ? word : 'system');
