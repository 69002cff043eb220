// Rules for linkifiers, without the database.
import { modelError } from '../../http/model-error.ts';
import { findLinkifierProblem } from '../../text/markdown/linkifiers.ts';
import { parseUrlTemplate } from '../../text/markdown/url-template.ts';

export interface LinkifierInput {
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly alternativeUrlTemplates: readonly string[];
}

export function checkLinkifier(input: LinkifierInput): void {
  const { pattern, urlTemplate, alternativeUrlTemplates } = input;
  for (const [field, text] of [
    ['pattern', pattern],
    ['url_template', urlTemplate],
  ] as const) {
    if (text.trim() === '') throw modelError(field, 'This field cannot be blank.');
  }
  const problem = findLinkifierProblem(pattern, urlTemplate);
  if (problem !== undefined) throw modelError(fieldOf(problem), problem);
  const isBad = alternativeUrlTemplates.some((text) => parseUrlTemplate(text) === undefined);
  if (isBad) throw modelError('alternative_url_templates', 'Invalid URL template.');
}

function fieldOf(problem: string): string {
  if (problem.startsWith('Bad regular')) return 'pattern';
  return problem.startsWith('Invalid URL') ? 'url_template' : '__all__';
}
