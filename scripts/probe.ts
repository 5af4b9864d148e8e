/** A health check for containers, as the image has no curl: `node scripts/probe.ts URL` ends with 0 after an answer of 2xx. */
const [url = ''] = process.argv.slice(2);
const answerMs = 3000;

const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) }).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;
