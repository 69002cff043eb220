import { chromium, type Browser } from 'playwright-core';

/** The machine's own Chromium; it cannot use its sandbox as root. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless'],
  });
}
