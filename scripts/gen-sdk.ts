// Writes the generated files of the SDK from contracts/. `--check` compares instead of writing.
import { writeGenerated } from '../packages/sdk/generate/main.ts';

const stale = await writeGenerated({ isCheck: process.argv.includes('--check') });
if (stale.length > 0) {
  console.error(`Not fresh: ${stale.join(', ')}. Run: npm run gen`);
  process.exitCode = 1;
}
