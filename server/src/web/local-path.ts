// Where to go after signing in. The address of the form may hold anything, so what it asks for is believed only
// if it leads to this server: otherwise a link to our own page could end on somebody else's.

const SOMEWHERE = 'http://somewhere.invalid';
const PATH_CHARACTERS_MAX = 2000;

/** A path on this server, spelled as browsers read it, or undefined. */
export function localPath(asked: string | undefined): string | undefined {
  if (asked === undefined || !asked.startsWith('/') || asked.length > PATH_CHARACTERS_MAX) {
    return undefined;
  }
  // The parser of browsers, which drops tabs and line ends and takes a backslash for a slash.
  if (!URL.canParse(asked, SOMEWHERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(asked, SOMEWHERE);
  if (origin !== SOMEWHERE) return undefined;
  // `/.//elsewhere` is on this server until it stands alone.
  return pathname.startsWith('//') ? undefined : `${pathname}${search}${hash}`;
}
