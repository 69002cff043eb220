// The form with which a reader tries an operation. Credentials are kept in the memory of this script, and nowhere else;
// a tab that is reloaded or closed has forgotten them.
import { isEd25519, readClock, sign } from './signing.js';
import { keepMemory } from './visit.js';

const CURL_SECRET = { hmac: '$SECRET', chat: '$API_KEY' };
const TIMEOUT_MS = 30_000;
const SHOWN_MAX = 200_000;
const home = document.body.dataset.origin;
const credentials = new Map();
/** The pages of a server try that server; those of a static host ask which one. */
const isServed = !('static' in document.body.dataset);

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function collect(form) {
  const values = { path: new Map(), query: [], header: [], body: [], credential: {} };
  for (const field of form.querySelectorAll('[data-in]')) {
    const place = field.dataset.in;
    const value = field.value.trim();
    if (place === 'credential') values.credential[field.name] = value;
    else if (value === '') continue;
    else if (place === 'path') values.path.set(field.name, value);
    else if (place === 'query') values.query.push([field.name, value]);
    else if (place === 'header') values.header.push([field.name, value]);
    else values.body.push([field.name, value]);
  }
  return values;
}

/** The request as it is sent, with the text that was signed, and the same for curl without the secret. */
async function prepare(operation, form, base) {
  const { path: parts, query, header, body, credential } = collect(form);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(parts.get(name) ?? ''),
  );
  const takesBody = operation.method !== 'GET' && operation.method !== 'DELETE';
  const headers = new Headers(header);
  const request = { method: operation.method, headers, credentials: 'omit' };
  const lines = [];
  let clock;
  let signed;
  let text = new URLSearchParams([...query, ...(takesBody ? [] : body)]).toString();
  if (operation.authentication === 'signature') {
    if (credential.keyId === '' || credential.secret === '') {
      throw new Error('This operation is signed: give your key and its secret.');
    }
    clock = await readClock(base);
    const given = [...query, ...body, ['timestamp', String(Date.now() + clock.aheadMs)]];
    text = new URLSearchParams(given).toString();
    signed = { text, signature: await sign(text, credential) };
    headers.set('X-SVC-APIKEY', credential.keyId);
    headers.set('X-SVC-SIGNATURE', signed.signature);
    lines.push(...curlSigning(text, credential.keyId));
  } else if (takesBody && body.length > 0) {
    request.body = new URLSearchParams(body);
  }
  if (operation.authentication === 'chat-key') {
    if (credential.email === '' || credential.apiKey === '') {
      throw new Error('This operation needs your email address and your API key.');
    }
    const pair = new TextEncoder().encode(`${credential.email}:${credential.apiKey}`);
    headers.set('Authorization', `Basic ${btoa(String.fromCharCode(...pair))}`);
  }
  const url = `${base}${path}${text === '' ? '' : `?${text}`}`;
  const curl = curlOf({ operation, url, path: `${base}${path}`, header, body, credential, lines });
  return { url, request, signed, clock, curl, sentBody: request.body?.toString() ?? '' };
}

function curlSigning(text, keyId) {
  const open = [`TEXT=${quoted(text)}`];
  if (isEd25519(keyId)) {
    return [
      ...open,
      'printf %s "$TEXT" > text.txt',
      'SIGNATURE=$(openssl pkeyutl -sign -rawin -inkey key.pem -in text.txt | od -An -v -tx1 | tr -d " \\n")',
    ];
  }
  return [
    ...open,
    `SIGNATURE=$(printf %s "$TEXT" | openssl dgst -sha256 -hmac "${CURL_SECRET.hmac}" -hex | sed 's/.* //')`,
  ];
}

function curlOf({ operation, url, path, header, body, credential, lines }) {
  const parts = ['curl'];
  if (operation.method !== 'GET') parts.push(`-X ${operation.method}`);
  for (const [name, value] of header) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (operation.authentication === 'signature') {
    parts.push(`-H ${quoted(`X-SVC-APIKEY: ${credential.keyId}`)}`);
    parts.push('-H "X-SVC-SIGNATURE: $SIGNATURE"', `"${path}?$TEXT"`);
    return [...lines, parts.join(' ')].join('\n');
  }
  if (operation.authentication === 'chat-key') {
    parts.push(`-u "${credential.email.replaceAll(/["$`\\]/g, '')}:${CURL_SECRET.chat}"`);
  }
  if (operation.method !== 'GET' && operation.method !== 'DELETE') {
    for (const [name, value] of body) parts.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  parts.push(quoted(url));
  return parts.join(' ');
}

function element(tag, text, className = '') {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className !== '') node.className = className;
  return node;
}

function block(title, text) {
  const box = document.createElement('figure');
  box.className = 'code';
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.append(element('code', text));
  box.append(element('figcaption', title), pre);
  return box;
}

function clockText({ aheadMs, uncertainMs }) {
  const side = aheadMs >= 0 ? 'behind' : 'ahead of';
  return `Your clock is ${Math.abs(aheadMs)} ms ${side} the server's (give or take ${uncertainMs} ms). The timestamp was corrected by that.`;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(operation, form, base) {
  const place = form.querySelector('[data-result]');
  const status = form.querySelector('[data-status]');
  const button = form.querySelector('[type=submit]');
  button.disabled = true;
  status.textContent = 'Sending';
  place.replaceChildren();
  try {
    const { url, request, signed, clock, sentBody } = await prepare(operation, form, base);
    if (clock !== undefined) place.append(element('p', clockText(clock), 'hint'));
    if (signed !== undefined) {
      place.append(block('Text that was signed', signed.text));
      place.append(block('Signature', signed.signature));
    }
    const shownBody = sentBody === '' ? '' : `\n\n${sentBody}`;
    place.append(block('Request', `${operation.method} ${url}${shownBody}`));
    const started = performance.now();
    const answer = await window.fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await answer.text();
    const took = Math.round(performance.now() - started);
    status.textContent = `${answer.status} in ${took} ms`;
    status.className = answer.ok ? 'good' : 'bad';
    const rest = text.length > SHOWN_MAX ? '\n…' : '';
    place.append(
      block(`Answer ${answer.status}, ${took} ms`, pretty(text.slice(0, SHOWN_MAX)) + rest),
    );
  } catch (error) {
    status.textContent = '';
    const hint =
      !isServed && error instanceof TypeError
        ? ' If the server runs, it must allow this page: its setting TRADING_CORS_ORIGINS names the origins of such pages, and the chat allows none.'
        : '';
    place.append(element('p', `${error.message}${hint}`, 'problem'));
  } finally {
    button.disabled = false;
  }
}

async function copyCurl(operation, form, base) {
  const status = form.querySelector('[data-status]');
  try {
    const { curl } = await prepare(operation, form, base);
    await navigator.clipboard.writeText(curl);
    status.className = '';
    status.textContent = 'Copied. Put your secret into the variable; it is not part of the text.';
  } catch (error) {
    status.className = 'bad';
    status.textContent = error.message;
  }
}

function askForBase(form) {
  const label = element('label', 'Address of the server');
  label.htmlFor = 'try-base';
  const input = document.createElement('input');
  input.id = 'try-base';
  input.type = 'url';
  input.value = home;
  input.required = true;
  const field = element('div', '', 'field');
  field.append(label, input);
  field.append(
    element('p', 'The server must allow pages of this origin to call it (CORS).', 'hint'),
  );
  form.querySelector('[data-base]').append(field);
  return () => input.value.replace(/\/$/, '');
}

function keepCredentials(form) {
  for (const field of form.querySelectorAll('[data-in=credential]')) {
    field.value = credentials.get(field.name) ?? '';
    field.addEventListener('input', () => {
      if (field.value === '') credentials.delete(field.name);
      else credentials.set(field.name, field.value);
    });
  }
}

function prepareForms() {
  for (const box of document.querySelectorAll('details.try')) {
    const operation = JSON.parse(box.dataset.operation);
    const form = box.querySelector('form');
    const baseOf = isServed ? () => location.origin : askForBase(form);
    keepCredentials(form);
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(operation, form, baseOf());
    });
    form
      .querySelector('[data-curl]')
      .addEventListener('click', () => void copyCurl(operation, form, baseOf()));
  }
}

keepMemory(() => credentials.size > 0);
document.addEventListener('rialto:page', prepareForms);
prepareForms();
