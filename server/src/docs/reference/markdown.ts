// Small pieces of Markdown that generated pages share.

/** A cell of a table: one line, without characters that would end it. */
export const cell = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line), ''].join('\n');
}

export const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

export const fence = (info: string, text: string): string =>
  `\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;

export const json = (value: unknown, title: string): string =>
  fence(`json title="${title}"`, JSON.stringify(value, null, 2));

/** The parts that are not empty, with a blank line between them. */
export const blocks = (...parts: readonly (string | undefined)[]): string =>
  `${parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => part?.trimEnd())
    .join('\n\n')}\n`;
