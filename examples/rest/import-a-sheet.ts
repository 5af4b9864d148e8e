/**
 * Posts a sheet over the REST API of `campaigns serve`, and saves its results: node import-a-sheet.ts posts.csv
 *
 * The types come from the console itself:
 *     npm install openapi-fetch openapi-typescript
 *     npx openapi-typescript http://127.0.0.1:3000/api/v1/openapi.json -o campaigns.d.ts
 * The environment names the console: CAMPAIGNS_API, and CAMPAIGNS_TOKEN if people sign in there.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './campaigns.d.ts';

const { CAMPAIGNS_API: baseUrl = 'http://127.0.0.1:3000/api/v1', CAMPAIGNS_TOKEN: token } = process.env;
const [file = 'posts.csv'] = process.argv.slice(2);

const api = createClient<paths>({ baseUrl, headers: token ? { authorization: `Bearer ${token}` } : {} });

const sheet = await readFile(file, 'utf8');
// Run again after a crash, the same sheet gets the same campaign.
const key = createHash('sha256').update(sheet).digest('hex');
const { data: campaign, error } = await api.POST('/campaigns', {
  params: { query: { file: basename(file) }, header: { 'Idempotency-Key': key } },
  headers: { 'Content-Type': 'text/csv' },
  body: sheet,
  // Otherwise the client would write the text as JSON.
  bodySerializer: (text) => text,
});
if (error) throw new Error([error.detail, error.fix].filter(Boolean).join(' '));

const params = { path: { id: campaign.id } };
for (let state: string = campaign.state; state === 'running'; await delay(500)) {
  const { data, error: problem } = await api.GET('/campaigns/{id}', { params });
  if (problem) throw new Error(problem.detail);
  ({ state } = data);
}
const { data: results } = await api.GET('/campaigns/{id}/results', { params, parseAs: 'text' });
await writeFile(`${campaign.name}.results.csv`, results ?? '');
console.log(`${campaign.id}: ${campaign.name}.results.csv`);
