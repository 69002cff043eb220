import { describe, expect, it } from 'vitest';
import { parseFormWidget } from './given.ts';

const choice = { type: 'multiple_choice', long_name: 'Yes', reply: 'I say yes', short_name: 'Y' };
const form = (extra: object = {}) => ({
  widget_type: 'zform',
  extra_data: { type: 'choices', heading: 'Well?', choices: [choice], ...extra },
});

describe('a form that is sent along with a message', () => {
  it('is accepted unchanged', () => {
    expect(parseFormWidget(JSON.stringify(form()))).toEqual(form());
    expect(parseFormWidget(JSON.stringify(form({ choices: [] })))).toEqual(form({ choices: [] }));
  });

  it.each<[unknown, string]>([
    [[], 'widget_content is not a dict'],
    [{ extra_data: {} }, 'widget_type is not in widget_content'],
    [{ widget_type: 'zform' }, 'extra_data is not in widget_content'],
    [{ widget_type: 'zform', extra_data: 4 }, 'extra_data is not a dict'],
    [{ widget_type: 'poll', extra_data: {} }, 'unknown widget type: poll'],
    [{ widget_type: 'zform', extra_data: {} }, 'zform is missing type field'],
    [form({ type: 'buttons' }), 'unknown zform type: buttons'],
    [form({ heading: undefined }), 'heading key is missing from extra_data'],
    [form({ heading: 1 }), 'extra_data["heading"] is not a string'],
    [form({ choices: {} }), 'extra_data["choices"] is not a list'],
    [form({ choices: undefined }), 'choices key is missing from extra_data'],
    [form({ choices: [1] }), 'extra_data["choices"][0] is not a dict'],
    [
      form({ choices: [choice, { ...choice, reply: 2 }] }),
      'extra_data["choices"][1]["reply"] is not a string',
    ],
    [form({ choices: [{ ...choice, type: 'x' }] }), 'Invalid extra_data["choices"][0]["type"]'],
    [
      form({ choices: Array.from({ length: 201 }, () => choice) }),
      'extra_data["choices"] is too long (limit: 200 items)',
    ],
  ])('%j is refused', (given, reason) => {
    expect(() => parseFormWidget(JSON.stringify(given))).toThrow(`Widgets: ${reason}`);
  });

  it('must be JSON', () => {
    expect(() => parseFormWidget('{')).toThrow('Widgets: API programmer sent invalid JSON content');
  });
});
