import { chromium, type Browser } from 'playwright-core';

/** The machine's own Chromium; a root user's cannot have a sandbox. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless'],
  });
}
