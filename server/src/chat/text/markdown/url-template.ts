// URL templates of RFC 6570, as far as linkifiers need them: every variable is one string.

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  /** Written after the name of a variable that is empty. */
  readonly ifEmpty: string;
  readonly allowsReserved: boolean;
}

const operator = (
  first: string,
  separator: string,
  isNamed = false,
  ifEmpty = '',
  allowsReserved = false,
): Operator => ({ first, separator, isNamed, ifEmpty, allowsReserved });

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': operator('', ','),
  '+': operator('', ',', false, '', true),
  '#': operator('#', ',', false, '', true),
  '.': operator('.', '.'),
  '/': operator('/', '/'),
  ';': operator(';', ';', true),
  '?': operator('?', '&', true, '='),
  '&': operator('&', '&', true, '='),
};

type Part =
  | { readonly text: string }
  | { readonly operator: Operator; readonly variables: readonly Variable[] };

interface Variable {
  readonly name: string;
  readonly length: number | undefined;
}

export interface UrlTemplate {
  readonly variables: readonly string[];
  expand(values: Readonly<Record<string, string | undefined>>): string;
}

const EXPRESSION = /^([+#./;?&]?)([^{}]+)$/;
const VARIABLE = /^([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)(?::([1-9]\d{0,3})|\*)?$/;

/** The parsed template; undefined if it is invalid, such as an unclosed brace or an empty expression. */
export function parseUrlTemplate(text: string): UrlTemplate | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('{', at);
    const literal = text.slice(at, start < 0 ? undefined : start);
    if (literal.includes('}')) return undefined;
    if (literal !== '') parts.push({ text: encode(literal, true) });
    if (start < 0) break;
    const end = text.indexOf('}', start);
    const expression = end < 0 ? undefined : parseExpression(text.slice(start + 1, end));
    if (expression === undefined) return undefined;
    parts.push(expression);
    at = end + 1;
  }
  const variables = parts.flatMap((part) =>
    'variables' in part ? part.variables.map(({ name }) => name) : [],
  );
  return {
    variables: [...new Set(variables)],
    expand: (values) =>
      parts.map((part) => ('text' in part ? part.text : expandExpression(part, values))).join(''),
  };
}

function parseExpression(text: string) {
  const match = EXPRESSION.exec(text);
  const operator = OPERATORS[match?.[1] ?? 'none'];
  if (match === null || operator === undefined) return undefined;
  const variables: Variable[] = [];
  for (const written of (match[2] ?? '').split(',')) {
    const variable = VARIABLE.exec(written);
    if (variable === null) return undefined;
    const length = variable[2] === undefined ? undefined : Number(variable[2]);
    variables.push({ name: variable[1] ?? '', length });
  }
  return { operator, variables };
}

function expandExpression(
  { operator, variables }: { operator: Operator; variables: readonly Variable[] },
  values: Readonly<Record<string, string | undefined>>,
): string {
  const written = variables.flatMap(({ name, length }) => {
    const value = values[name];
    if (value === undefined) return [];
    const cut = length === undefined ? value : Array.from(value).slice(0, length).join('');
    const encoded = encode(cut, operator.allowsReserved);
    if (!operator.isNamed) return [encoded];
    return [encoded === '' ? `${name}${operator.ifEmpty}` : `${name}=${encoded}`];
  });
  return written.length === 0 ? '' : operator.first + written.join(operator.separator);
}

function encode(text: string, allowsReserved: boolean): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!allowsReserved) return encoded;
  return encoded
    .replaceAll(/%(?:3A|2F|3F|23|5B|5D|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g, (code) =>
      decodeURIComponent(code),
    )
    .replaceAll(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}
