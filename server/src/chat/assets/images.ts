// Pictures that are drawn rather than stored.

/** A bridge over water: the organization's picture until it uploads its own. */
export const REALM_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100"><rect width="100" height="100" rx="20" fill="#1f3a5f"/><path d="M10 68 Q50 14 90 68 L78 68 Q50 34 22 68 Z" fill="#f2e6cf"/><path d="M10 78 q10 -7 20 0 t20 0 t20 0 t20 0" fill="none" stroke="#7fb2d9" stroke-width="5" stroke-linecap="round"/></svg>`;

/** Three points, for a picture that is on its way. It stands still: nothing moves that nobody asked for. */
export const LOADING_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20" fill="#777"><circle cx="10" cy="10" r="5"/><circle cx="30" cy="10" r="5"/><circle cx="50" cy="10" r="5"/></svg>`;

/** Dark enough that white letters on them can be read. */
const COLORS = [
  '#a4363b',
  '#9a4a12',
  '#7a5b00',
  '#4f6b1a',
  '#1f6f43',
  '#12706f',
  '#1d6394',
  '#3f51b0',
  '#6a45a8',
  '#94398c',
  '#6b4f3a',
  '#4a5560',
] as const;

/** A square of the user's colour; with a name, also its initials. */
export function drawAvatar(userId: number, fullName: string, pixels: number): string {
  const color = COLORS[userId % COLORS.length] ?? COLORS[0];
  const initials = escapeXml(initialsOf(fullName));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${pixels}" height="${pixels}"><rect width="100" height="100" fill="${color}"/><text x="50" y="50" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="42" fill="#fff">${initials}</text></svg>`;
}

/** The first letters of the first and the last word; whole letters, whatever the script. */
function initialsOf(fullName: string): string {
  const words = fullName.split(/\s+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toUpperCase();
}

const segmenter = new Intl.Segmenter();

const firstLetter = (word: string): string =>
  segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? '';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
