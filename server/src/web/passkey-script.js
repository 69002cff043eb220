// Asks the browser for a passkey. Forms that need this script are hidden without it; the page then offers the other ways.
// A form says what it wants: `data-passkey` is `get` or `create`, `data-options` is where the question comes from. The
// answer goes into its field `assertion` or `response`, and the form is sent like any other.
const forms = document.querySelectorAll('form[data-passkey]');
const isAble =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.prototype.toJSON === 'function';

async function fetchOptions(form) {
  const token = form.elements.namedItem('csrfmiddlewaretoken').value;
  const answer = await window.fetch(form.dataset.options, {
    method: 'POST',
    headers: { accept: 'application/json', 'x-csrftoken': token },
    body: new URLSearchParams({ csrfmiddlewaretoken: token }),
  });
  const { options, msg } = await answer.json();
  if (!answer.ok) throw new Error(msg);
  return options;
}

async function askFor(form) {
  const options = await fetchOptions(form);
  if (form.dataset.passkey === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function run(form) {
  const button = form.querySelector('button');
  const problem = form.querySelector('[data-passkey-problem]');
  problem.hidden = true;
  button.disabled = true;
  try {
    const credential = await askFor(form);
    const name = form.dataset.passkey === 'create' ? 'response' : 'assertion';
    form.elements.namedItem(name).value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch (error) {
    // A person who closes the browser's window and a passkey that is not here look the same, on purpose.
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    problem.textContent = isKnown ? form.dataset.known : form.dataset.failed;
    problem.hidden = false;
    button.disabled = false;
    button.focus();
  }
}

for (const form of forms) {
  if (!isAble) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });
}
for (const note of document.querySelectorAll('[data-passkey-note]')) {
  note.hidden = isAble;
}
