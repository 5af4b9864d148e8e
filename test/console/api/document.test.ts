/** The OpenAPI documents, judged by a public linter. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { describeApi } from '../../../src/console/api/openapi.ts';
import { describeApi as describeSandbox } from '../../../src/sandbox/description/openapi.ts';

it.each([
  ['console', describeApi('/api/v1', '1.0.0')],
  ['sandbox', describeSandbox('https://sandbox.test')],
])('the document of the %s follows all recommended rules', async (_name, document) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});
