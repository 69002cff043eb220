// The reference for people, made from the OpenAPI document that machines read.
import type { OpenApiDocument } from '../../platform/http/openapi.ts';
import { ERRORS } from '../http/errors.ts';
import { exampleOf } from './example.ts';
import { renderGuide, type ToldLimits } from './guide.ts';
import { html, prose, type Html } from './html.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: unknown }> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Record<string, { readonly schema: unknown }>;
      }
    >
  >;
}

interface Parameter {
  readonly name: string;
  /** The query string, a header, or the body. */
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

export function renderPage(document: OpenApiDocument, limits: ToldLimits): string {
  const baseUrl = document.servers[0]?.url ?? '';
  const operations = operationsOf(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags.includes(tag.name)),
  }));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="docs.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <h1>${document.info.title} <small>version ${document.info.version}</small></h1>
          <p>${document.info.description}</p>
          <p><a href="${baseUrl}/public/swagger">OpenAPI document</a></p>
        </header>
        <nav aria-label="Contents">
          <ul>
            <li><a href="#start">Getting started</a></li>
            <li><a href="#signing">Signing private requests</a></li>
            <li><a href="#sessions">Sessions and keys</a></li>
            <li><a href="#orders">Orders</a></li>
            <li><a href="#limits">Limits</a></li>
            ${groups.map(
              (group) =>
                html`<li>
                  <a href="#${group.name}">${group.name} endpoints</a>
                  <ul>
                    ${group.operations.map(
                      ({ operationId, path }) =>
                        html`<li><a href="#${operationId}">${path}</a></li>`,
                    )}
                  </ul>
                </li>`,
            )}
            <li><a href="#errors">Errors</a></li>
          </ul>
        </nav>
        <main id="main">
          ${renderGuide(baseUrl, limits)}
          ${groups.map(
            (group) =>
              html`<section id="${group.name}">
                <h2>${group.name} endpoints</h2>
                <p>${group.description}</p>
                ${group.operations.map((operation) => renderOperation(operation, document, baseUrl))}
              </section>`,
          )}
          <section id="errors">
            <h2>Errors</h2>
            <p>Codes are stable; messages may change.</p>
            ${renderTable(
              ['Code', 'Name', 'HTTP', 'When'],
              ERRORS.map(({ code, name, status, when }) => [
                html`<a id="e${code}">${code}</a>`,
                html`<code>${name}</code>`,
                String(status),
                prose(when),
              ]),
            )}
          </section>
        </main>
      </body>
    </html> `;
  return page.text;
}

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as Omit<Operation, 'method' | 'path'>),
      method: method.toUpperCase(),
      path,
    })),
  );
}

function renderOperation(operation: Operation, document: OpenApiDocument, baseUrl: string): Html {
  const { method, path, operationId, summary, description, responses } = operation;
  const parameters = parametersOf(operation);
  const success = responses['200']?.content['application/json']?.schema;
  const failures = Object.entries(responses).filter(([status]) => status !== '200');
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
    <h3 id="${operationId}-title"><span class="method">${method}</span> <code>${path}</code></h3>
    <p>${prose(summary)} ${description === undefined ? '' : prose(description)}</p>
    <h4>Parameters</h4>
    ${
      parameters.length === 0
        ? html`<p>None.</p>`
        : renderTable(
            ['Name', 'Type', '', 'Meaning'],
            parameters.map(({ name, in: place, required, description: meaning = '', schema }) => [
              html`<code>${name}</code>${place === 'header' ? ' (header)' : ''}`,
              typeOf(schema),
              required ? 'required' : 'optional',
              prose(meaning),
            ]),
          )
    }
    <h4>Example</h4>
    <pre
      tabindex="0"
    ><code>${method} ${operation.servers?.[0]?.url ?? baseUrl}${path}${exampleQuery(operation)}</code></pre>
    <pre tabindex="0"><code>${JSON.stringify(exampleOf(success, document), null, 2)}</code></pre>
    <details>
      <summary>Errors</summary>
      ${renderTable(
        ['HTTP', 'Errors'],
        failures.map(([status, { description: codes }]) => [
          status,
          html`${codes
            .split(', ')
            .map(
              (one, index) =>
                html`${index === 0 ? '' : ', '}<a href="#e${one.slice(0, 4)}">${one}</a>`,
            )}`,
        ]),
      )}
    </details>
  </article>`;
}

function parametersOf({ parameters = [], requestBody }: Operation): readonly Parameter[] {
  const schema = requestBody?.content['application/json']?.schema as
    | { properties: Record<string, { description?: string }>; required?: readonly string[] }
    | undefined;
  const inBody = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'body',
    required: schema?.required?.includes(name) ?? false,
    schema: property,
    ...(property.description === undefined ? {} : { description: property.description }),
  }));
  return [...inBody, ...parameters];
}

/** The required parameters with an example each; a signature's timestamp is explained elsewhere. */
function exampleQuery(operation: Operation): string {
  if (operation.method === 'POST') return '';
  const query = parametersOf(operation)
    .filter(({ required, in: place }) => required && place === 'query')
    .map(({ name, schema }) => {
      const { examples } = schema as { examples?: readonly string[] };
      return `${name}=${examples?.[0] ?? ''}`;
    })
    .join('&');
  return query === '' ? '' : `?${query}`;
}

function typeOf(schema: unknown): Html {
  const shape = schema as {
    type?: string;
    minimum?: number;
    maximum?: number;
    anyOf?: readonly { const?: string }[];
    enum?: readonly string[];
    minItems?: number;
    maxItems?: number;
  };
  if (shape.enum !== undefined) {
    return html`${shape.enum.map((value) => html`<code>${value}</code> `)}`;
  }
  if (shape.type === 'array') {
    return html`list of ${String(shape.minItems ?? 0)} to ${String(shape.maxItems ?? 'any')}`;
  }
  if (shape.anyOf !== undefined) {
    return html`${shape.anyOf.map(({ const: value = '' }) => html`<code>${value}</code> `)}`;
  }
  const range =
    shape.minimum === undefined ? '' : `, ${shape.minimum} to ${shape.maximum ?? 'any'}`;
  return html`${shape.type ?? 'any'}${range}`;
}

type Cell = string | Html;

function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  return html`<div
    class="table"
    tabindex="0"
    role="region"
    aria-label="${head.filter((name) => name !== '').join(', ')}"
  >
    <table>
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
