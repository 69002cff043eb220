// Writes the generated files of the SDK from contracts/: types, methods and tables of operations. `--check` compares
// instead of writing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../src/trading/names.ts';
import { chatTypes, chatMethods } from './chat.ts';
import type { Json } from './schemas.ts';
import { streamTypes } from './streams.ts';
import { tradingMethods, tradingSchemas, tradingTypes } from './trading.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const readJson = (path: string): Json => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8')) as Json;

/** What the generator would write now, by path. */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const trading = readJson('contracts/trading.openapi.json');
  const chat = readJson('contracts/chat.openapi.json');
  const events = readJson('contracts/events.schema.json');
  const streams = readJson('contracts/streams.json');
  const schemas = tradingSchemas(trading);
  const types = await tradingTypes(schemas);
  return {
    'packages/sdk/src/trading/types.generated.ts': types,
    'packages/sdk/src/streams/types.generated.ts': await streamTypes(streams, types),
    'packages/sdk/src/trading/methods.generated.ts': tradingMethods(trading, nameOf),
    'packages/sdk/src/chat/types.generated.ts': await chatTypes(chat, events, schemas),
    'packages/sdk/src/chat/methods.generated.ts': chatMethods(chat),
  };
}

export async function writeGenerated({ isCheck }: { isCheck: boolean }): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of Object.entries(await generate())) {
    if (!isCheck) writeFileSync(`${ROOT}${path}`, text);
    else if (readOr(`${ROOT}${path}`) !== text) stale.push(path);
  }
  return stale;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
