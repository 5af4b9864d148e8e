/** A health check for containers, whose image has no curl: exit code 0 when `node scripts/probe.ts URL` is answered with 2xx. */
const [url = ''] = process.argv.slice(2);
const answerMs = 3000;

const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) }).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;
