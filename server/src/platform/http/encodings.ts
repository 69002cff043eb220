// Which compressed forms a client takes.

/** A header names a handful; more are not looked at. */
const NAMED_MAX = 20;

/** Whether `Accept-Encoding` names the encoding, or any, and not with the weight zero. */
export function takesEncoding(header: string | string[] | undefined, encoding: string): boolean {
  const accepted = String(header ?? '')
    .replaceAll(/[ \t]/g, '')
    .toLowerCase()
    .split(',', NAMED_MAX)
    .map((part) => part.split(';', 2));
  const one =
    accepted.find(([name]) => name === encoding) ?? accepted.find(([name]) => name === '*');
  return one !== undefined && !/^q=0(?:\.0*)?$/.test(one[1] ?? '');
}
