// What the frame can do in the person's name, from menus, the palette and keys alike.
import { useCallback } from 'react';
import { useStore } from '../state/react.ts';
import { useLooks } from '../settings/looks.tsx';
import { schemeOf, type Theme } from '../settings/preferences.ts';
import type { Command } from './palette/entries.ts';
import { useRouter } from './link.tsx';
import { signOut } from './sign-out.ts';

/** Runs a command. Settings go to the account, so that other devices follow. */
export function useCommand(): (command: Command) => void {
  const store = useStore();
  const router = useRouter();
  const { language } = useLooks();
  return useCallback(
    (command) => {
      const { chat } = store.client;
      const setTheme = (theme: Theme) => chat.updateSettings({ color_scheme: schemeOf(theme) });
      const failed = (error: unknown) => console.error(`The command ${command} failed.`, error);
      switch (command) {
        case 'dark':
        case 'light':
        case 'system':
          setTheme(command).catch(failed);
          break;
        case 'language':
          chat.updateSettings({ default_language: language === 'en' ? 'fa' : 'en' }).catch(failed);
          break;
        case 'shortcuts':
        case 'tour':
          router.open(command);
          break;
        case 'signOut':
          void signOut(store);
          break;
      }
    },
    [store, router, language],
  );
}
