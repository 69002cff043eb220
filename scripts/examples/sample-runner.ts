// The director that runs the samples of the documentation, in one language, instead of calling the APIs itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Book, Endpoint } from '../../server/src/docs/reference/endpoints.ts';
import { curlSample } from '../../server/src/docs/reference/samples/curl.ts';
import { pythonSample } from '../../server/src/docs/reference/samples/python.ts';
import type { Call } from '../../server/src/docs/reference/samples/request.ts';
import { typescriptSample } from '../../server/src/docs/reference/samples/typescript.ts';
import { EXAMPLE_ORIGIN } from '../../server/src/docs/site/page.ts';
import type { Demo } from '../demo/summary.ts';
import { createNode, createPython, createShell, type Interpreter } from './interpreter.ts';
import { Answer, type Director, type Params, type SentFile, type Who } from './director.ts';

export type SampleLanguage = 'curl' | 'TypeScript' | 'Python';

interface Language {
  readonly file: string;
  open(folder: string): Interpreter;
  write(call: Call): string | undefined;
}

const LANGUAGES: Readonly<Record<SampleLanguage, Language>> = {
  curl: { file: 'sample.sh', open: createShell, write: curlSample },
  TypeScript: { file: 'sample.ts', open: createNode, write: typescriptSample },
  Python: { file: 'sample.py', open: createPython, write: pythonSample },
};

/** The sample for curl asks for the time first: two requests, so at most eight of the ten a second that the venue takes. */
const PAUSE_MS = 250;

export interface SampleRunner {
  readonly director: Director;
  /** How many samples ran. */
  count(): number;
  close(): void;
}

/**
 * `plain` calls the API directly: for what a language has no sample of, and where a sample prints less than the scenario
 * needs.
 */
export function createSampleRunner(
  language: SampleLanguage,
  book: Book,
  demo: Demo,
  plain: Director,
  folder: string,
): SampleRunner {
  const endpoints = new Map(book.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const { file, open, write } = LANGUAGES[language];
  const interpreter = open(folder);
  const { origin } = new URL(demo.web_url);
  let count = 0;

  async function run(
    endpoint: Endpoint,
    who: Who,
    params: Params,
    sent?: SentFile,
  ): Promise<string | undefined> {
    const sample = write({ endpoint, params, ...(sent !== undefined && { file: sent.name }) });
    if (sample === undefined) return undefined;
    if (sent !== undefined) writeFileSync(join(folder, sent.name), sent.bytes);
    writeFileSync(join(folder, file), asRun(sample, language).replaceAll(EXAMPLE_ORIGIN, origin));
    await sleep(book.api === 'trading' ? PAUSE_MS : 0);
    const printed = await interpreter
      .run(join(folder, file), credentialsOf(demo, who))
      .catch((error: unknown) => {
        throw new Error(`The sample failed.\n${sample}`, { cause: error });
      });
    count += 1;
    return printed;
  }

  return {
    count: () => count,
    close: () => interpreter.close(),
    director: {
      async call(id, who, params = {}, sent) {
        const endpoint = endpoints.get(id);
        if (endpoint === undefined) throw new Error(`The contract has no operation ${id}.`);
        const printed = await run(endpoint, who, params, sent);
        if (printed === undefined) return plain.call(id, who, params, sent);
        const answer = parse(printed, language, book.api);
        if (answer === undefined) throw new Error(`The sample of ${id} printed: ${printed}`);
        return answer;
      },
      // Refusals are shown as answers, not as samples.
      refuse: (code, id, who, params) => plain.refuse(code, id, who, params),
    },
  };
}

function credentialsOf(demo: Demo, who: Who): Record<string, string> {
  if (who === 'nobody') return {};
  const { email, api_key, trading } = demo.users[who];
  return {
    CHAT_USER: `${email}:${api_key}`,
    TRADING_KEY: trading.api_key,
    TRADING_SECRET: trading.secret_key,
  };
}

/** The scenario reads the answer, so TypeScript prints it as JSON instead of Node's own notation. */
const asRun = (sample: string, language: SampleLanguage): string =>
  language === 'TypeScript'
    ? sample.replace(/console\.log\((await [^]*)\);$/, 'console.log(JSON.stringify($1));')
    : sample;

/** Undefined unless it is the answer of a success. */
function parse(printed: string, language: SampleLanguage, api: string): Answer | undefined {
  const body = JSON.parse(printed) as Record<string, unknown>;
  // The SDK gives back what is inside the envelope, and throws for an error.
  if (language === 'TypeScript') return new Answer(api === 'trading' ? { result: body } : body);
  const isSuccess = api === 'trading' ? body['status'] !== 'false' : body['result'] === 'success';
  return isSuccess ? new Answer(body) : undefined;
}
