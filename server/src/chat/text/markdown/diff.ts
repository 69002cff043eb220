// Marks what changed between two versions of a message, in HTML. Only text is marked: the elements are those of the
// new version, so the result is as well formed as that.
import { diffArrays } from 'diff';

/** The maximum number of inserted and deleted tokens; beyond it the two versions are shown one after the other. */
const MAX_EDITS = 600;
const DELETED = 'highlight_text_deleted';
const INSERTED = 'highlight_text_inserted';

/** Elements that are marked as a whole, or not at all. */
const WHOLE =
  /^<(?:time|audio|video|span class="(?:katex|tex-error|user-|topic-mention|emoji))|^<span [^>]*class="emoji/;
/** Elements that may not contain text directly: a browser would move it elsewhere. */
const NO_TEXT: ReadonlySet<string> = new Set(['ul', 'ol', 'table', 'thead', 'tbody', 'tr']);
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
const PIECE = /<[^<>]*>|\s+|[^<\s]+/g;

/** Both arguments are HTML of messages as rendered here. */
export function diffHtml(before: string, after: string): string {
  const [old, now] = [tokenize(before), tokenize(after)];
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  const writer = new DiffWriter();
  for (const { added, removed, value } of changes)
    for (const token of value) {
      if (removed) writer.delete(token);
      else writer.write(token, added);
    }
  return `<div>${writer.end()}</div>`;
}

/** Tags, words, spaces, and elements that are marked as a whole. */
function tokenize(html: string): string[] {
  const pieces = html.match(PIECE) ?? [];
  const tokens: string[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? '';
    if (!WHOLE.test(piece)) {
      tokens.push(piece);
      continue;
    }
    const end = endOfElement(pieces, index);
    tokens.push(pieces.slice(index, end + 1).join(''));
    index = end;
  }
  return tokens;
}

function endOfElement(pieces: readonly string[], start: number): number {
  const name = nameOf(pieces[start] ?? '');
  let depth = 0;
  for (let index = start; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? '';
    if (nameOf(piece) !== name) continue;
    depth += piece.startsWith('</') ? -1 : 1;
    if (depth === 0) return index;
  }
  return pieces.length - 1;
}

const nameOf = (piece: string): string => /^<\/?([a-z0-9]+)/.exec(piece)?.[1] ?? '';

/** Whether the token is a tag that only gives structure. An image is content, and can be marked. */
const isTag = (token: string): boolean =>
  token.startsWith('<') && !token.startsWith('<img') && !WHOLE.test(token);

class DiffWriter {
  private readonly parts: string[] = [];
  private readonly open: string[] = [];
  private marked = '';
  private mark = '';
  /** Deleted text that waits for an element that may contain text. */
  private waiting = '';

  delete(token: string): void {
    if (isTag(token)) {
      // The old structure is dropped; a space keeps words of different lines apart.
      if (this.waiting !== '' && !this.waiting.endsWith(' ')) this.waiting += ' ';
      return;
    }
    this.endMark();
    this.waiting += token;
  }

  write(token: string, isInserted: boolean): void {
    if (isTag(token)) {
      this.endMark();
      this.placeDeleted();
      this.track(token);
      this.parts.push(token);
      return;
    }
    this.placeDeleted();
    if (!isInserted || !this.allowsText()) {
      this.endMark();
      this.parts.push(token);
      return;
    }
    this.mark = INSERTED;
    this.marked += token;
  }

  end(): string {
    this.endMark();
    this.placeDeleted();
    return this.parts.join('');
  }

  private allowsText(): boolean {
    return !NO_TEXT.has(this.open.at(-1) ?? '');
  }

  private placeDeleted(): void {
    if (this.waiting === '' || !this.allowsText()) return;
    this.endMark();
    if (this.waiting.trim() !== '')
      this.parts.push(`<span class="${DELETED}">${this.waiting.trimEnd()}</span>`);
    if (/\s$/.test(this.waiting)) this.parts.push(' ');
    this.waiting = '';
  }

  private endMark(): void {
    if (this.marked === '') return;
    const { marked } = this;
    this.parts.push(marked.trim() === '' ? marked : `<span class="${this.mark}">${marked}</span>`);
    this.marked = '';
  }

  private track(tag: string): void {
    const name = nameOf(tag);
    if (tag.startsWith('</')) this.open.pop();
    else if (!VOID.has(name)) this.open.push(name);
  }
}
