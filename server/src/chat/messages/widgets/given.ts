// Checks a widget that is sent along with a message: a form with choices, which bots send. A person who chooses answers
// with the text of the choice. Pure checks, with the error texts that authors of bots know.
import { badRequest } from '../../http/errors.ts';

export interface FormWidget {
  readonly widget_type: 'zform';
  readonly extra_data: Readonly<Record<string, unknown>>;
}

/** The most choices in one form. */
const CHOICES_MAX = 200;
const TEXT_MAX = 10_000;

/** Parses the widget from JSON. */
export function parseFormWidget(text: string): FormWidget {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw badRequest('Widgets: API programmer sent invalid JSON content');
  }
  const problem = findProblem(data);
  if (problem !== undefined) throw badRequest(`Widgets: ${problem}`);
  return data as FormWidget;
}

type Data = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findProblem(data: unknown): string | undefined {
  if (!isObject(data)) return 'widget_content is not a dict';
  if (!Object.hasOwn(data, 'widget_type')) return 'widget_type is not in widget_content';
  if (!Object.hasOwn(data, 'extra_data')) return 'extra_data is not in widget_content';
  const { widget_type: type, extra_data: extra } = data;
  if (!isObject(extra)) return 'extra_data is not a dict';
  if (type !== 'zform') return `unknown widget type: ${String(type).slice(0, 100)}`;
  if (!Object.hasOwn(extra, 'type')) return 'zform is missing type field';
  if (extra['type'] !== 'choices') {
    return `unknown zform type: ${String(extra['type']).slice(0, 100)}`;
  }
  return findTextProblem(extra, 'extra_data', ['heading']) ?? findChoicesProblem(extra['choices']);
}

function findChoicesProblem(choices: unknown): string | undefined {
  const path = 'extra_data["choices"]';
  if (choices === undefined) return 'choices key is missing from extra_data';
  if (!Array.isArray(choices)) return `${path} is not a list`;
  if (choices.length > CHOICES_MAX) return `${path} is too long (limit: ${CHOICES_MAX} items)`;
  for (const [index, choice] of (choices as readonly unknown[]).entries()) {
    const at = `${path}[${index}]`;
    if (!isObject(choice)) return `${at} is not a dict`;
    const problem = findTextProblem(choice, at, ['long_name', 'reply', 'short_name']);
    if (problem !== undefined) return problem;
    if (choice['type'] !== 'multiple_choice') return `Invalid ${at}["type"]`;
  }
  return undefined;
}

function findTextProblem(data: Data, path: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    if (!Object.hasOwn(data, name)) return `${name} key is missing from ${path}`;
    const value = data[name];
    if (typeof value !== 'string') return `${path}["${name}"] is not a string`;
    if (value.includes('\0') || !value.isWellFormed()) return `${path}["${name}"] is not text`;
    if (value.length > TEXT_MAX) return `${path}["${name}"] is too long`;
  }
  return undefined;
}
