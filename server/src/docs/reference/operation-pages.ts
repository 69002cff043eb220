// One page for each operation of the three contracts: who may call it, what it takes and answers, samples in three
// languages, the recorded answer, and its errors.
import { operationBlock, type Operation, type OperationParameter } from '../site/operation.ts';
import type { Page, PageSource, SectionId, SourceInput } from '../site/page.ts';
import { readBook, type Api, type Book, type Endpoint } from './endpoints.ts';
import { errorNameOf } from './error-pages.ts';
import { groupsOf } from './groups.ts';
import { blocks, code, fence, json, table } from './markdown.ts';
import { readRecording, type Recorded, type Recording } from './recorded.ts';
import { curlSample } from './samples/curl.ts';
import { pythonSample } from './samples/python.ts';
import type { Call } from './samples/request.ts';
import { typescriptSample } from './samples/typescript.ts';
import { fieldsOf } from './shape.ts';

/** Longer tables are cut, and the reader is sent to the contract. */
const FIELDS_MAX = 120;
/** Every answer of the chat has these; the overview explains them. */
const OF_ENVELOPE = new Set(['result', 'msg', 'ignored_parameters_unsupported']);
const NOTHING: Recording = { calls: {}, notRecorded: {}, refusals: {} };

export const listOperationPages: PageSource = (input) =>
  (['trading', 'chat', 'administration'] as const).flatMap((api) => pagesOf(api, input));

function pagesOf(api: Api, input: SourceInput): Page[] {
  const book = readBook(api, input);
  const recording = api === 'administration' ? NOTHING : readRecording(api, input);
  const groups = groupsOf(api);
  const pages = book.endpoints.map((endpoint, index): Page => ({
    path: endpoint.page,
    language: 'en',
    title: titleOf(endpoint),
    section: api satisfies SectionId,
    group: endpoint.group,
    // Groups follow their first page, so the number of the group comes first.
    order: (groups.indexOf(endpoint.group) + 1) * 1000 + index,
    description: firstSentence(endpoint.summary),
    markdown: render(endpoint, book, recording),
    keywords: [endpoint.id, endpoint.path, ...shortPaths(endpoint)],
  }));
  return [overviewOf(book), ...pages];
}

/** `Place an order` would need a text of its own for each; the path is what people look for. */
const titleOf = ({ api, id, path }: Endpoint): string => {
  if (api === 'chat') return sentence(id.replaceAll('-', ' '));
  return path.replace(/^\/(?:json\/)?v1\/(?:admin\/|private\/)?/, '');
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const firstSentence = (text: string): string => /^[^]*?[.](?=\s|$)/.exec(text)?.[0] ?? text;

const shortPaths = ({ path }: Endpoint): string[] => [
  path.replace(/^\/(?:api\/|json\/)?v1/, ''),
  path.split('/').slice(-2).join('/'),
];

function render(endpoint: Endpoint, book: Book, recording: Recording): string {
  const { calls, notRecorded } = recording;
  const recorded = calls[endpoint.id];
  return blocks(
    endpoint.summary,
    operationBlock(toOperation(endpoint)),
    accessText(endpoint),
    endpoint.parameters.length === 0 ? undefined : '## Parameters',
    parameterTable(endpoint),
    '## Example',
    recorded === undefined
      ? `> [!NOTE]\n> No recorded example: ${lowered(notRecorded[endpoint.id] ?? reasonFor(endpoint))}`
      : exampleOf(endpoint, recorded),
    '## Answer',
    answerTable(endpoint, book),
    '## Errors',
    errorsText(endpoint),
  );
}

/** What the head of the page and its form need, and nothing else. */
function toOperation(endpoint: Endpoint): Operation {
  const { api, id, method, path, authentication, access, parameters, isRead, notTried } = endpoint;
  const operation = { api, id, method, path, authentication, access, parameters, isRead };
  return notTried === undefined ? operation : { ...operation, notTried };
}

const reasonFor = ({ api }: Endpoint): string =>
  api === 'administration'
    ? 'Operators act in a browser session, with a second factor.'
    : 'The scenario does not call it.';

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function accessText({ authentication, description }: Endpoint): string {
  switch (authentication) {
    case 'none':
      return 'Everybody may call it, without credentials.';
    case 'signature':
      return `${description} The request is signed: [Signing](docs:concepts/signing).`;
    case 'session':
      return `${description} It is called in a [session](docs:concepts/identity#sessions).`;
    default:
      return `${description} Send your email address and API key with Basic authentication: [Identity](docs:concepts/identity).`;
  }
}

function parameterTable({ parameters, authentication }: Endpoint): string | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((parameter) => [
    code(parameter.name),
    `${parameter.type}${parameter.isJson ? ', as JSON' : ''}${parameter.in === 'path' ? ', in the path' : ''}`,
    parameter.isRequired ? 'required' : 'optional',
    meaningOf(parameter),
  ]);
  return blocks(
    table(['Name', 'Type', 'Needed', 'Meaning'], rows),
    authentication === 'signature'
      ? 'Every signed request also has `timestamp`, and may have `recvWindow` and `nonce`.'
      : undefined,
  );
}

const meaningOf = ({ description = '', example }: OperationParameter): string =>
  [description, ...(example === undefined ? [] : [`For example ${code(example)}.`])].join(' ');

function exampleOf(endpoint: Endpoint, recorded: Recorded): string {
  const call: Call = {
    endpoint,
    params: recorded.params,
    ...(recorded.file !== undefined && { file: recorded.file }),
  };
  const python = pythonSample(call);
  const typescript = typescriptSample(call);
  return blocks(
    fence('sh tab=curl', curlSample(call)),
    typescript === undefined ? undefined : fence('ts tab=TypeScript', typescript),
    python === undefined ? undefined : fence('python tab=Python', python),
    json(recorded.answer, 'Answer'),
    'The answer was recorded from the demo. Lists are cut after two entries.',
  );
}

function answerTable({ answer, api }: Endpoint, { contract }: Book): string {
  const fields = fieldsOf(answer, contract).filter(
    ({ name }) => api !== 'chat' || !OF_ENVELOPE.has(name),
  );
  if (fields.length === 0) return 'The answer has only the fields of every answer.';
  const rows = fields
    .slice(0, FIELDS_MAX)
    .map(({ name, type, isRequired, description }) => [
      code(name),
      isRequired ? type : `${type}, may be absent`,
      description,
    ]);
  return blocks(
    table(['Field', 'Type', 'Meaning'], rows),
    fields.length > FIELDS_MAX
      ? `${fields.length - FIELDS_MAX} more fields are in the contract.`
      : undefined,
  );
}

function errorsText({ api, errors }: Endpoint): string {
  if (api === 'chat') {
    return 'An error has `result`, `msg` and `code`. The [catalogue of errors](docs:errors) lists the codes with their causes and cures.';
  }
  const links = errors.map((one) => `[${one} ${errorNameOf(one)}](docs:errors/${one})`);
  return links.join(' · ');
}

const OVERVIEWS: Readonly<
  Record<Api, { readonly title: string; readonly description: string; readonly text: string }>
> = {
  trading: {
    title: 'Trading API',
    description: 'Every operation of the venue.',
    text: [
      'The base address is `https://rialto.example/v1`. Public operations need no credentials; private ones are [signed](docs:concepts/signing).',
      'An answer is a JSON object with `status`, `serverTime` and `result`. On failure `status` is `"false"` and `error` has `code`, `name`, `message` and `details`; the header `Link` leads to the entry of the error.',
      'Numbers are JSON strings in decimal notation, so that no program rounds them. Times are milliseconds since the Unix epoch.',
      'The contract for programs is the [OpenAPI document](https://rialto.example/v1/public/swagger).',
    ].join('\n\n'),
  },
  chat: {
    title: 'Chat API',
    description: 'Every operation of the chat, which existing Zulip clients can use.',
    text: [
      'The base address is `https://rialto.example/api/v1`. Callers send their email address and [API key](docs:concepts/identity) with Basic authentication.',
      'Parameters may come in the query string, in a urlencoded body or in a multipart body. Strings are sent as they are, everything else as JSON text. Names that an operation does not know are listed in `ignored_parameters_unsupported` of the answer.',
      'An answer is a JSON object with `result` and `msg`. On failure it also has `code`; the header `Link` leads to the entry of the error.',
      'The API is that of Zulip 11, so clients and bots made for Zulip work unmodified.',
    ].join('\n\n'),
  },
  administration: {
    title: 'Administration API',
    description: 'What operators do with the venue.',
    text: [
      'The base address is `https://rialto.example/json/v1/admin`. Operators call it in a browser session, with a grant and a second factor. Acts that move money or change terms need a second operator, who approves the digest of the request.',
      'The form of answers and errors is that of the [trading API](docs:trading).',
    ].join('\n\n'),
  },
};

function overviewOf({ api, endpoints }: Book): Page {
  const { title, description, text } = OVERVIEWS[api];
  const lists = groupsOf(api).map((group) =>
    blocks(
      `## ${group}`,
      table(
        ['Operation', '', 'Does'],
        endpoints
          .filter((endpoint) => endpoint.group === group)
          .map((endpoint) => [
            `[${titleOf(endpoint)}](docs:${endpoint.page})`,
            endpoint.method,
            firstSentence(endpoint.summary),
          ]),
      ),
    ),
  );
  return {
    path: api,
    language: 'en',
    title,
    section: api satisfies SectionId,
    order: 0,
    description,
    markdown: blocks(text, ...lists),
  };
}
