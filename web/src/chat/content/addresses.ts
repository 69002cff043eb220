// Which addresses may be linked, and which may be loaded.

const LINKED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:']);
/** Stands for our own origin, whatever that is. */
const OWN = 'https://own.invalid';
/** Where the server keeps what a message shows. Nothing else is loaded, so a message cannot make its reader ask for more. */
const LOADED = /^\/(?:user_uploads|user_avatars|external_content|static)\/(?:[^/].*)?$/;
// oxlint-disable-next-line no-control-regex -- A browser would leave these out of an address.
const HIDDEN = /[\u0000-\u0020\u007f]/;

/** The address of a link as it may be followed; undefined if it may not. Browsers' own parser decides the scheme. */
export function linkedAddress(href: string): string | undefined {
  if (href === '' || HIDDEN.test(href)) return undefined;
  const url = URL.parse(href, OWN);
  if (url === null || !LINKED.has(url.protocol)) return undefined;
  if (url.origin === OWN) return href.startsWith(OWN) ? undefined : ownPath(url);
  return url.href;
}

/** The address of something to load: on our own server, in a folder of files. */
export function loadedAddress(src: string): string | undefined {
  if (src === '' || HIDDEN.test(src)) return undefined;
  const url = URL.parse(src, OWN);
  if (url === null || url.origin !== OWN || src.startsWith(OWN)) return undefined;
  // Encoded slashes and dots could lead out of the folder again at a careless server.
  if (!LOADED.test(url.pathname) || /%(?:2e|2f|5c)/i.test(url.pathname)) return undefined;
  return ownPath(url);
}

const ownPath = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;

/** The name of a file of ours, from the address of the upload. */
export function fileNameOf(href: string): string | undefined {
  const name = /^\/user_uploads\/(?:[^/?#]+\/)*([^/?#]+)$/.exec(href)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The host that a link leads to, if its text names another one: then the reader has to see it. */
export function hiddenHost(text: string, href: string): string | undefined {
  const url = URL.parse(href);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const named = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=[:/?#]|$)/iu.exec(
    text.trim(),
  )?.[1];
  if (named === undefined) return undefined;
  const plain = (host: string) => host.toLowerCase().replace(/^www\./, '');
  const meant = URL.parse(`https://${named}`)?.hostname ?? named;
  return plain(meant) === plain(url.hostname) ? undefined : url.hostname;
}
