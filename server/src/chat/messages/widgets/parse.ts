// Parses the commands `/poll` and `/todo`. The message keeps its text; the widget becomes its first submessage, whose
// content is returned here.

export interface PollData {
  readonly question: string;
  readonly options: readonly string[];
}

export interface TodoData {
  readonly task_list_title: string;
  readonly tasks: readonly { readonly task: string; readonly desc: string }[];
}

export type Widget =
  | { readonly widget_type: 'poll'; readonly extra_data: PollData }
  | { readonly widget_type: 'todo'; readonly extra_data: TodoData };

const COMMAND = /^\/(poll|todo)(?:[ \t]+([^\n]*))?(?:\n|$)/;
const BULLET = /^\s*[-*]\s*/;

/** The widget that a message asks for, if it begins with one of these commands. */
export function parseWidget(content: string): Widget | undefined {
  const match = COMMAND.exec(content);
  if (match === null) return undefined;
  const [head, command, title = ''] = match;
  const lines = content
    .slice(head.length)
    .split('\n')
    .map((line) => line.replace(BULLET, '').trim())
    .filter((line) => line !== '');
  if (command === 'poll')
    return { widget_type: 'poll', extra_data: { question: title.trim(), options: lines } };
  const tasks = lines.map((line) => {
    const colon = line.indexOf(':');
    if (colon < 0) return { task: line, desc: '' };
    return { task: line.slice(0, colon).trim(), desc: line.slice(colon + 1).trim() };
  });
  return { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks } };
}
