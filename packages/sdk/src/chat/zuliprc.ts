// The file in which people keep the key of a bot: sections of `name=value`.

export interface Zuliprc {
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
}

/** Reads the text of a zuliprc file; the section `[api]` counts. */
export function parseZuliprc(text: string): Zuliprc {
  const values = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) section = trimmed.slice(1, -1).trim();
    const mark = trimmed.indexOf('=');
    if (section === 'api' && mark > 0) {
      values.set(trimmed.slice(0, mark).trim(), trimmed.slice(mark + 1).trim());
    }
  }
  const take = (name: string): string => {
    const value = values.get(name);
    if (value !== undefined && value !== '') return value;
    throw new TypeError(`The zuliprc has no '${name}' in its section [api].`);
  };
  return { url: take('site'), email: take('email'), apiKey: take('key') };
}
