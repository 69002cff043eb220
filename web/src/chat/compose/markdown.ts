// Small changes to a text in Markdown. Pure: text and selection in, text and selection out.

export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A fence that no line of the text can close. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/^`{3,}/gm)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Whether the cursor is inside a block of code, where text means itself. */
export function isInCode(text: string, cursor: number): boolean {
  let fence = '';
  for (const [, run = '', rest = ''] of text.slice(0, cursor).matchAll(/^(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') fence = run;
    else if (run.startsWith(fence) && rest.trim() === '') fence = '';
  }
  return fence !== '';
}

/** Puts a mark on both sides of what is selected, or takes it away if it is there. */
export function toggleMark({ text, start, end }: Selected, mark: string): Selected {
  const { length } = mark;
  const isMarked =
    text.slice(start - length, start) === mark && text.slice(end, end + length) === mark;
  if (isMarked) {
    return {
      text: text.slice(0, start - length) + text.slice(start, end) + text.slice(end + length),
      start: start - length,
      end: end - length,
    };
  }
  return {
    text: text.slice(0, start) + mark + text.slice(start, end) + mark + text.slice(end),
    start: start + length,
    end: end + length,
  };
}

/** Code: in line for a part of a line, in a block for several. */
export function toggleCode(selected: Selected): Selected {
  const { text, start, end } = selected;
  const inner = text.slice(start, end);
  if (!inner.includes('\n')) return toggleMark(selected, '`');
  const fence = fenceFor(inner);
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n';
  const after = end === text.length || text[end] === '\n' ? '' : '\n';
  const opened = `${before}${fence}\n`;
  return {
    text: `${text.slice(0, start)}${opened}${inner}\n${fence}${after}${text.slice(end)}`,
    start: start + opened.length,
    end: start + opened.length + inner.length,
  };
}

/** A link on what is selected; the selection moves to its address. */
export function insertLink({ text, start, end }: Selected): Selected {
  const label = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(label);
  const made = isAddress ? `[](${label})` : `[${label}](url)`;
  const at = start + (isAddress ? 1 : label.length + 3);
  return {
    text: text.slice(0, start) + made + text.slice(end),
    start: at,
    end: isAddress ? at : at + 3,
  };
}
