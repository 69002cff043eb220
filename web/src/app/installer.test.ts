import { expect, it, vi } from 'vitest';
import { createInstaller } from './installer.ts';

it('offers to install once the browser can, asks it once, and says so to who watches', () => {
  const page = new EventTarget();
  const installer = createInstaller(page);
  const heard = vi.fn();
  installer.subscribe(heard);
  installer.install();
  expect(installer.canInstall()).toBe(false);
  const prompt = vi.fn(async () => undefined);
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  page.dispatchEvent(offer);
  expect(offer.defaultPrevented).toBe(true);
  expect(installer.canInstall()).toBe(true);
  installer.install();
  installer.install();
  expect(prompt).toHaveBeenCalledOnce();
  expect(installer.canInstall()).toBe(false);
  page.dispatchEvent(offer);
  page.dispatchEvent(new Event('appinstalled'));
  expect(installer.canInstall()).toBe(false);
  expect(heard).toHaveBeenCalled();
});
