// The one installer of the page. It listens before the first component: the browser says once, and early, that it can.
import { useSyncExternalStore } from 'react';
import { createInstaller } from './installer.ts';

export const installer = createInstaller(window);

export const useCanInstall = (): boolean =>
  useSyncExternalStore(installer.subscribe, installer.canInstall);
