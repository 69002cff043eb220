// Names of files: for people, in addresses, and in the Content-Disposition header. Without I/O.

const NAME_CHARACTERS_MAX = 200;
const PATH_CHARACTERS_MAX = 80;
const UNNAMED = 'uploaded-file';

/** Control characters, and characters that change the text direction. Joiners stay, because scripts need them. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The name as people see it: the last part of the client's path, without deceptive characters. */
export function cleanName(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = base.replaceAll(UNSEEN, '').trim();
  return name === '' || name === '.' || name === '..' ? UNNAMED : cut(name, NAME_CHARACTERS_MAX);
}

/** The name in the address: letters of any script, digits, dots and dashes. */
export function pathName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s.-]/gu, '')
    .trim()
    .replaceAll(/[-\s]+/g, '-');
  return plain === '' || plain === '.' || plain === '..'
    ? UNNAMED
    : cut(plain, PATH_CHARACTERS_MAX);
}

/** The same in ASCII only, for resumable uploads. */
export const asciiPathName = (name: string): string =>
  pathName(name.normalize('NFKD').replaceAll(/[^\u0020-\u007e]/g, ''));

/** Shortens a name and keeps its extension, by which systems choose a program. */
function cut(name: string, max: number): string {
  const characters = Array.from(name);
  if (characters.length <= max) return name;
  const ending = Array.from(/\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '');
  return [...characters.slice(0, max - ending.length), ...ending].join('');
}

/** Both spellings: ASCII for old clients, and the full name. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ !#$&+.0-9A-Z^_`a-z{|}~-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The path, escaped for an address. */
export const encodePath = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');
