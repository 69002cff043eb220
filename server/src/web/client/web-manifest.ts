// How a phone or a desktop installs the client: its name is the organization's.
import type { Language } from '../../platform/std/language.ts';
import { ASSETS } from './build.ts';

/** The number in the name of a picture changes with the picture, so browsers may cache it for ever. */
const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `${ASSETS}${name}-${size}-1.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** Apple's devices do not read the manifest for it. */
export const TOUCH_ICON = icon('icon', 192, 'any').src;

const TEXTS = {
  en: { inbox: 'Inbox', recent: 'Recent conversations' },
  fa: { inbox: 'صندوق ورودی', recent: 'گفت‌وگوهای اخیر' },
} as const;

export const renderWebManifest = (organization: string, language: Language): string =>
  JSON.stringify({
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    name: organization,
    short_name: organization,
    lang: language,
    dir: language === 'fa' ? 'rtl' : 'ltr',
    background_color: '#0e1116',
    theme_color: '#0e1116',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon('icon', 192, 'any'),
      icon('icon', 512, 'any'),
      icon('icon-maskable', 512, 'maskable'),
    ],
    shortcuts: [
      { name: TEXTS[language].inbox, url: '/inbox' },
      { name: TEXTS[language].recent, url: '/recent' },
    ],
  });
