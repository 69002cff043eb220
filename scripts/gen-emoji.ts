// Writes server/src/chat/emoji/emoji.generated.json: every emoji's code and names, from the datasource
// package and our table of names. `--check` compares instead of writing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameEmoji, type SourceEmoji } from '../server/src/chat/emoji/naming.ts';

const target = fileURLToPath(
  new URL('../server/src/chat/emoji/emoji.generated.json', import.meta.url),
);
const source = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('emoji-datasource-google/emoji.json')), 'utf8'),
) as SourceEmoji[];
const text = `${JSON.stringify({ code_to_names: nameEmoji(source) }, null, 1)}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (read(target) !== text) {
  console.error('Not fresh: server/src/chat/emoji/emoji.generated.json. Run: npm run gen');
  process.exitCode = 1;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
