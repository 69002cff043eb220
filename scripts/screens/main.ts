// `npm run screens`: pictures every screen of the demo in both languages and themes, on a desktop, a tablet and a phone,
// and puts them on contact sheets. `--only <words>` takes the screens whose name matches, `--folder <name>` says where
// the pictures go, `--sheets <name>` where the sheets go, `--name <word>` how their names begin. It ends with 1 if a
// screen has a flaw that a program can see. `--chains` takes a demo with chains of its own: there custody has something
// to show.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { startDemo } from '../demo/process.ts';
import { parseFlags } from '../flags.ts';
import { ROOT } from '../tests.ts';
import { makeOperator, type Operator } from './operator.ts';
import { DEVICES, nameOf, takePictures, type Look, type Picture } from './pictures.ts';
import { makeSheet, renderSheet } from './sheet.ts';

const { values } = parseFlags({
  options: {
    only: { type: 'string', default: '' },
    folder: { type: 'string', default: join(ROOT, '.screens') },
    sheets: { type: 'string', default: join(ROOT, '.screens') },
    name: { type: 'string', default: 'sheet' },
    chains: { type: 'boolean', default: false },
    devices: { type: 'string', default: Object.keys(DEVICES).join(',') },
  },
});
const folder = resolve(values.folder);
const sheets = resolve(values.sheets);
mkdirSync(folder, { recursive: true });
mkdirSync(sheets, { recursive: true });

const devices = values.devices.split(',') as Look['device'][];
const looks: Look[] = (['en', 'fa'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    devices.map((device) => ({ language, theme, device })),
  ),
);

const { demo, stop } = await startDemo(values.chains ? ['--chains'] : []);
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--headless', '--allow-file-access-from-files'],
});
const pictures: Picture[] = [];
let operator: Promise<Operator> | undefined;
try {
  for (const look of looks) {
    const taken = await takePictures(browser, demo, look, {
      folder,
      only: new RegExp(values.only, 'u'),
      operator: () => (operator ??= makeOperator(browser, demo)),
    });
    pictures.push(...taken);
    const flaws = taken.flatMap(({ screen, flaws: all }) =>
      all.map((flaw) => `${screen}: ${flaw}`),
    );
    process.stdout.write(
      `${nameOf(look).padEnd(18)} ${taken.length} screens, ${flaws.length} flaws\n`,
    );
    for (const flaw of flaws) process.stdout.write(`  ${flaw}\n`);
  }
  writeFileSync(join(folder, 'index.html'), renderSheet(pictures, folder));
  for (const language of ['en', 'fa'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      const shown = pictures.filter(
        ({ look }) => look.language === language && look.theme === theme,
      );
      await makeSheet(browser, shown, {
        folder,
        file: join(sheets, `${values.name}-${language}-${theme}.jpg`),
      });
    }
  }
} finally {
  await browser.close();
  await stop();
}
if (pictures.some(({ flaws }) => flaws.length > 0)) process.exitCode = 1;
