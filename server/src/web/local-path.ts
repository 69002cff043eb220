// Where to go after signing in. The URL of the form may contain anything, so its target is accepted only if it is
// on this server: otherwise a link to our own page could end on another site.

const SOMEWHERE = 'http://somewhere.invalid';
const PATH_CHARACTERS_MAX = 2000;

/** A path on this server, normalised as browsers do, or undefined. */
export function localPath(asked: string | undefined): string | undefined {
  if (asked === undefined || !asked.startsWith('/') || asked.length > PATH_CHARACTERS_MAX) {
    return undefined;
  }
  // The URL parser of browsers, which drops tabs and line ends and treats a backslash as a slash.
  if (!URL.canParse(asked, SOMEWHERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(asked, SOMEWHERE);
  if (origin !== SOMEWHERE) return undefined;
  // `/.//elsewhere` is on this server, but its normalised form would not be.
  return pathname.startsWith('//') ? undefined : `${pathname}${search}${hash}`;
}
