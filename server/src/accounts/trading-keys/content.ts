// Where the parameters of a private request stand: in its query string or in its body.
import { parseMembers } from './json.ts';
import { parsePairs, queryToText, type ParameterPair } from './parameters.ts';
import { RequestProblem } from './problem.ts';
import { jsonTexts } from './signature.ts';

export interface SentContent {
  readonly method: string;
  /** The query string as it was sent, without the question mark. */
  readonly query: string;
  readonly hasBody: boolean;
  readonly body: Buffer;
  readonly mediaType: string;
}

/** Finds the parameters, and the texts that may have been signed for them. */
export function parseContent(request: SentContent): {
  texts: readonly (string | Buffer)[];
  pairs: readonly ParameterPair[];
} {
  const { method, query, body, hasBody } = request;
  const takesBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  if (hasBody && !takesBody) {
    throw new RequestProblem('PARAMETER_PLACE', `A ${method} request has no body.`);
  }
  if (!hasBody) {
    return { texts: [Buffer.from(query, 'latin1')], pairs: parsePairs(queryToText(query)) };
  }
  if (query !== '') {
    throw new RequestProblem(
      'PARAMETER_PLACE',
      'Parameters stand in the query string or in the body, not in both.',
    );
  }
  if (request.mediaType === 'application/x-www-form-urlencoded') {
    return { texts: [body], pairs: parsePairs(body.toString('utf8')) };
  }
  if (request.mediaType === 'application/json') {
    const members = parseMembers(body);
    return { texts: jsonTexts(members), pairs: members };
  }
  throw new RequestProblem(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be application/json or application/x-www-form-urlencoded.',
  );
}
