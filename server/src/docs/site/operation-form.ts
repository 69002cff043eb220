// The head of an operation's page: method, path, badges; and the form for trying it. Without a script the form says
// that it needs one; the script is client/try.js.
import { escapeHtml } from '../../platform/std/html.ts';
import type { Operation, OperationParameter } from './operation.ts';

const AUTHENTICATION: Readonly<Record<Operation['authentication'], string>> = {
  none: 'open to everybody',
  signature: 'signed',
  'chat-key': 'API key',
  session: 'session',
};

export function renderOperation(operation: Operation): string {
  const { method, path, authentication, access, notTried } = operation;
  const badges = [...new Set([AUTHENTICATION[authentication], ...access])].map(
    (badge) => `<li>${escapeHtml(badge)}</li>`,
  );
  const canTry = notTried === undefined && authentication !== 'session';
  return `<div class="operation" dir="ltr"><p class="line"><span class="method ${method.toLowerCase()}">${escapeHtml(method)}</span> <code>${pathHtml(path)}</code></p><ul class="badges">${badges.join('')}</ul></div>
${canTry ? renderForm(operation) : renderReason(operation)}`;
}

/** A long path may break after each of its parts. */
const pathHtml = (path: string): string => escapeHtml(path).replaceAll('/', '/<wbr>');

function renderReason({ notTried, authentication }: Operation): string {
  const why =
    notTried ??
    (authentication === 'session' ? 'It needs the session of a person who is signed in.' : '');
  return `<p class="not-tried">This operation cannot be tried on this page. ${escapeHtml(why)}</p>\n`;
}

function renderForm(operation: Operation): string {
  const { id, api, method, path, authentication, parameters, isRead } = operation;
  const told = { id, api, method, path, authentication };
  const warning = isRead
    ? ''
    : '<p class="warning">This call acts: it really does on this server what its page says.</p>';
  const fields =
    parameters.length === 0
      ? '<p class="hint">It has no parameters.</p>'
      : `<fieldset><legend>Parameters</legend>${parameters.map(renderField).join('')}</fieldset>`;
  return `<details class="try" dir="ltr" data-operation="${escapeHtml(JSON.stringify(told))}">
<summary>Try it on this server</summary>
<noscript><p class="hint">The form signs and sends in your browser, which needs a script. The examples below work without one.</p></noscript>
<form autocomplete="off" hidden>
${warning}<div data-base></div>
${renderCredentials(authentication)}${fields}
<div class="actions"><button class="button primary" type="submit">Send ${escapeHtml(method)}</button><button class="button" type="button" data-curl>Copy as curl</button><span role="status" data-status></span></div>
<div data-result></div>
</form>
</details>
`;
}

function renderCredentials(authentication: Operation['authentication']): string {
  const memory =
    '<p class="hint">Keys stay in the memory of this tab until you close or reload it. They are never stored, and sent only to this server. Use a key that may do no more than you need.</p>';
  switch (authentication) {
    case 'signature':
      return `<fieldset><legend>Your key</legend>${memory}
${field({ name: 'keyId', label: 'Key', isSecret: false, hint: 'svc_key_… for HMAC, svc_edk_… for Ed25519' })}
${field({ name: 'secret', label: 'Secret', isSecret: true, hint: 'HMAC: the secret. Ed25519: the private key, as PKCS #8 (PEM) or as 64 hexadecimal digits of its seed' })}
</fieldset>`;
    case 'chat-key':
      return `<fieldset><legend>Your key</legend>${memory}
${field({ name: 'email', label: 'Email', isSecret: false, hint: '' })}
${field({ name: 'apiKey', label: 'API key', isSecret: true, hint: '' })}
</fieldset>`;
    default:
      return '';
  }
}

function renderField(parameter: OperationParameter): string {
  const { name, in: place, isRequired, type, isJson, example = '' } = parameter;
  const values = parameter.values ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  const facts = `data-in="${place}"${isJson ? ' data-json' : ''}${isRequired ? ' required' : ''}`;
  const id = `try-${place}-${name}`;
  const label = `<label for="${escapeHtml(id)}"><code>${escapeHtml(name)}</code>${isRequired ? ' <span class="needed">required</span>' : ''} <span class="type">${escapeHtml(type)}</span></label>`;
  if (values !== undefined && values.length > 0) {
    // An optional parameter is left out at first.
    const offered = isRequired ? values : ['', ...values];
    const options = offered.map(
      (value) =>
        `<option${value === example && isRequired ? ' selected' : ''}>${escapeHtml(value)}</option>`,
    );
    return `<div class="field">${label}<select id="${escapeHtml(id)}" name="${escapeHtml(name)}" ${facts}>${options.join('')}</select></div>`;
  }
  const value = isRequired ? ` value="${escapeHtml(example)}"` : '';
  const hint = isRequired || example === '' ? '' : ` placeholder="${escapeHtml(example)}"`;
  return `<div class="field">${label}<input id="${escapeHtml(id)}" name="${escapeHtml(name)}" ${facts}${value}${hint} autocomplete="off" autocapitalize="off" spellcheck="false" dir="ltr"></div>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly hint: string;
}

/** A secret is no password field: browsers offer to store those. */
function field({ name, label, isSecret, hint }: Field): string {
  const place = 'credential';
  const id = `try-${place}-${name}`;
  const described = hint === '' ? '' : ` aria-describedby="${id}-hint"`;
  const text = hint === '' ? '' : `<p class="hint" id="${id}-hint">${escapeHtml(hint)}</p>`;
  return `<div class="field"><label for="${id}">${escapeHtml(label)}</label><input id="${id}" name="${name}"${isSecret ? ' class="secret"' : ''} data-in="${place}" autocomplete="off" autocapitalize="off" spellcheck="false"${described}>${text}</div>`;
}
