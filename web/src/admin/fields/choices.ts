/** The choices of a list as the API has them: a number each, in their order. */
export function choicesOf(lines: string): Record<string, { text: string; order: string }> {
  const texts = [
    ...new Set(
      lines
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  ];
  return Object.fromEntries(
    texts.map((text, index) => [String(index), { text, order: String(index + 1) }]),
  );
}
