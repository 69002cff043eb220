// Rules for playgrounds, without the database.
import { badRequest } from '../../http/errors.ts';
import { modelError } from '../../http/model-error.ts';
import { parseUrlTemplate } from '../../text/markdown/url-template.ts';

/** Not languages: they say how a block of text is shown. */
const RESERVED: ReadonlySet<string> = new Set(['latex', 'math', 'quote', 'spoiler']);
const NOT_IN_A_LANGUAGE = /[^a-zA-Z0-9_+\-,./#]/u;

/** Readers open it with the code of a message in it, so the code must not decide the scheme or the host. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#{}\\]+(?:[/?#]|\{[/?#&]|$)/i;

export interface PlaygroundInput {
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

export function checkPlayground(input: PlaygroundInput): void {
  const { name, pygments_language: language, url_template } = input;
  const wrong = NOT_IN_A_LANGUAGE.exec(language)?.[0];
  if (wrong !== undefined) throw badRequest(`Invalid character in language: ${wrong}`);
  if (RESERVED.has(language)) throw badRequest(`Language '${language}' is not allowed.`);
  for (const [field, text] of [
    ['name', name],
    ['pygments_language', language],
    ['url_template', url_template],
  ] as const) {
    if (text === '') throw modelError(field, 'This field cannot be blank.');
  }
  if (!WEB_ADDRESS.test(url_template)) {
    throw modelError(
      'url_template',
      'The URL template must begin with http:// or https:// and a host.',
    );
  }
  const template = parseUrlTemplate(url_template);
  if (template === undefined) throw modelError('url_template', 'Invalid URL template.');
  if (!template.variables.includes('code')) {
    throw modelError('url_template', 'Missing the required variable "code" in the URL template');
  }
  if (template.variables.length > 1) {
    throw modelError(
      'url_template',
      '"code" should be the only variable present in the URL template',
    );
  }
}
