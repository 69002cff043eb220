// Asks the service at SCREENING_URL about one deposit or withdrawal. The time and the size of its answer are bounded, and
// anything but a clear answer is silence.
import { requestConfigured } from '../../../platform/http/outbound.ts';
import type { ScreeningAnswer, ScreeningQuestion } from './shapes.ts';

/** Silence for so long holds. */
const ANSWER_MS = 5000;
const ANSWER_BYTES_MAX = 10_000;

export async function askScreening(
  url: string,
  question: ScreeningQuestion,
  answerMs = ANSWER_MS,
): Promise<ScreeningAnswer> {
  try {
    const { status, body } = await requestConfigured({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: Buffer.from(JSON.stringify(question)),
      timeoutMs: answerMs,
      bytesMax: ANSWER_BYTES_MAX,
      // It is often in the same network; its URL is configuration.
      allowsHttp: true,
    });
    return status === 200 ? verdictIn(body.toString()) : 'silent';
  } catch {
    return 'silent';
  }
}

function verdictIn(text: string): ScreeningAnswer {
  const value = JSON.parse(text) as unknown;
  const verdict =
    typeof value === 'object' && value !== null && 'verdict' in value && value.verdict;
  return verdict === 'allow' || verdict === 'hold' || verdict === 'reject' ? verdict : 'silent';
}
