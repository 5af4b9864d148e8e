/** Tests code against the sandbox. Here the answer to a call gets lost: node --test sandbox-in-a-test.ts */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServiceClient, OutcomeUnknownError } from 'campaign-runner/api';
import { startSandbox } from 'campaign-runner/sandbox';

test('a lost answer is not a failure: the product may be in the showcase', async () => {
  await using sandbox = await startSandbox();
  await using client = createServiceClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  sandbox.faults.add({ operation: 'addSocialShowcaseProducts', kind: 'lost-answer' });

  const added = client.showcase.add({ id: 1001, addType: 'PRODUCT_ID', productIds: ['900001'] });
  await assert.rejects(added, OutcomeUnknownError);
  assert.equal(sandbox.effects().showcase.length, 1);
});
