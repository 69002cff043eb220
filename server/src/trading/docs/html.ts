// HTML templates that escape every value unless it is HTML already.
import { escapeAttribute } from '../../platform/std/html.ts';

class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type { Html };

type Piece = string | Html | readonly Piece[];

export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(
    parts
      .map((part, index) => part + (index < pieces.length ? render(pieces[index]) : ''))
      .join(''),
  );
}

function render(piece: Piece | undefined): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece !== 'string') return piece.map(render).join('');
  return escapeAttribute(piece);
}

/** Text in which `code` stands between backquotes. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}
