// Requests of the chat API: strings go as they are, everything else as JSON text.
import type { Upload } from '../options.ts';
import { CHAT_ROUTES, type ChatMethods } from './methods.generated.ts';

export type Params = Readonly<Record<string, unknown>>;

export interface EncodedCall {
  readonly method: string;
  /** Below the prefix of the API, with the query string of a GET. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

const FORM = 'application/x-www-form-urlencoded';
/** Parameters whose slashes are part of the path. */
const WITH_SLASHES = new Set(['filename', 'fragment']);

export function encodeCall(name: keyof ChatMethods, given: Params): EncodedCall {
  const [method = '', pattern = ''] = CHAT_ROUTES[name].split(' ');
  const { file, ...others } = given as Params & Partial<Upload>;
  const isUpload = file instanceof Blob;
  const params = new Map(Object.entries(isUpload ? withoutName(others) : given));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_mark, key: string) => {
    const value = params.get(key);
    params.delete(key);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') {
      throw new TypeError(`chat.${name} needs ${key}.`);
    }
    const text = encodeURIComponent(value);
    return WITH_SLASHES.has(key) ? text.replaceAll('%2F', '/') : text;
  });
  if (isUpload) return { method, path, headers: {}, body: formOf(file, given['name'] as string) };
  const text = encodeFields(params);
  if (method === 'GET')
    return { method, path: text === '' ? path : `${path}?${text}`, headers: {} };
  return { method, path, headers: { 'Content-Type': FORM }, body: text };
}

function withoutName({ name: _name, ...others }: Params): Params {
  return others;
}

function formOf(file: Blob, name = (file as Blob & { name?: string }).name ?? 'file'): FormData {
  const form = new FormData();
  form.append('file', file, name);
  return form;
}

function encodeFields(params: ReadonlyMap<string, unknown>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of params) {
    if (value === undefined) continue;
    fields.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return fields.toString();
}
