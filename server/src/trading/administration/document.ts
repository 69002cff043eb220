// The OpenAPI document of the administration. It is apart from the public one, and only operators can read it.
import { Type, type TObject } from 'typebox';
import {
  buildOpenApi,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
} from '../../platform/http/openapi.ts';
import { asSent, Envelope, errorEnvelope } from '../docs/document.ts';
import { RenderedJson } from '../http/envelope.ts';
import { ERRORS, getError, OPERATOR_ERRORS } from '../http/errors.ts';
import { adminRoute, type AdminRoute } from './route.ts';

const AdminError = errorEnvelope([...ERRORS, ...OPERATOR_ERRORS]);

/** What every route may answer. */
const COMMON = [
  'INTERNAL',
  'UNAVAILABLE',
  'RATE_LIMITED',
  'SESSION_INVALID',
  'CSRF_FAILED',
  'PERMISSION_DENIED',
  'SECOND_FACTOR_REQUIRED',
  'PARAMETER_MISSING',
  'PARAMETER_INVALID',
  'PARAMETER_RANGE',
  'PARAMETER_UNKNOWN',
  'PARAMETER_DUPLICATE',
  'PARAMETER_PLACE',
] as const;

export function buildAdminDocument(
  routes: readonly AdminRoute[],
  serverUrl: string,
): OpenApiDocument {
  return buildOpenApi({
    title: 'Administration of the trading service',
    version: '1.0.0',
    description:
      'For operators, in a session with a second factor. Each operation names the grant that it needs and how the ' +
      'session proves itself again: `fresh` is a factor within ten minutes, `each` one for this very act, in X-SVC-OTP.',
    serverUrl,
    tags: [
      { name: 'Administration', description: 'What operators do, all of it in the audit log.' },
    ],
    operations: routes.map(toOperation),
    schemas: [Envelope, AdminError],
    headers: {},
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-sessionid',
        description: 'The session.',
      },
      csrf: {
        type: 'apiKey',
        in: 'header',
        name: 'X-CSRFToken',
        description: "The session's token, on everything but GET.",
      },
    },
  });
}

function toOperation(route: AdminRoute): OpenApiOperation {
  const params = asSent(route.params) as TObject;
  return {
    id: route.name,
    method: route.method,
    path: route.path,
    tag: 'Administration',
    summary: route.summary,
    description: `Needs the grant \`${route.grant}\`; step-up: \`${route.stepUp}\`.`,
    ...(route.method === 'GET'
      ? { query: params }
      : {
          body: {
            schema: params,
            mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
          },
        }),
    security: route.method === 'GET' ? ['session'] : ['session', 'csrf'],
    responses: { '200': successOf(route), ...failuresOf(route) },
  };
}

const successOf = ({ returns }: AdminRoute): OpenApiResponse => ({
  description: 'Success.',
  schema: { allOf: [Envelope, { type: 'object', properties: { result: returns } }] },
});

function failuresOf({ errors }: AdminRoute): Record<string, OpenApiResponse> {
  const entries = [...new Set([...COMMON, ...errors])].map(getError);
  const byStatus = Map.groupBy(entries, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => [
      String(status),
      {
        description: own.map(({ code, name }) => `${code} ${name}`).join(', '),
        schema: AdminError,
      },
    ]),
  );
}

export const getAdminDocument = (routes: readonly AdminRoute[]): AdminRoute =>
  adminRoute({
    method: 'GET',
    name: 'adminDocument',
    path: '/openapi.json',
    grant: 'look',
    stepUp: 'fresh',
    summary: 'This document.',
    params: Type.Object({}),
    returns: Type.Object({}),
    handle: (ctx) =>
      new RenderedJson(
        JSON.stringify(buildAdminDocument(routes, `${ctx.publicUrl()}/json/v1/admin`)),
      ),
  });
