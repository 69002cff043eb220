// Highlights matches: words in the text of rendered HTML, never in a tag or an entity.

/** A tag, an entity, or a word. A half-space belongs to the word that contains it. */
const PIECE = /<[^<>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[\p{L}\p{N}\p{M}_\u{200C}]+/giu;
const WORD = /^[^<&]/;

/** All different words of the HTML. */
export function wordsIn(html: string): string[] {
  const words = new Set<string>();
  for (const [piece] of html.matchAll(PIECE)) if (WORD.test(piece)) words.add(piece);
  return [...words];
}

/** The HTML with these words marked. */
export function highlight(html: string, meant: ReadonlySet<string>): string {
  if (meant.size === 0) return html;
  return html.replaceAll(PIECE, (piece) =>
    WORD.test(piece) && meant.has(piece) ? `<span class="highlight">${piece}</span>` : piece,
  );
}
