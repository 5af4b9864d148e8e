/** The OpenAPI documents, judged by a public linter. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { isFile } from '../../../src/app/operations/operation.ts';
import { allOperations as operations } from '../../../src/app/operations.ts';
import { describeApi } from '../../../src/console/api/openapi.ts';
import { describeApi as describeSandbox } from '../../../src/sandbox/description/openapi.ts';

it.each([
  ['console', describeApi('/api/v1', '1.0.0')],
  ['sandbox', describeSandbox('https://sandbox.test', false)],
])('the document of the %s follows all recommended rules', async (_name, document) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

it('declares that an unknown parameter is refused, and what files are sent as', () => {
  interface Described {
    readonly parameters?: readonly { readonly in: string }[];
    readonly requestBody?: { readonly content: Record<string, unknown> };
    readonly responses: Record<string, { readonly content?: Record<string, unknown> }>;
  }
  const { paths } = describeApi('/api/v1', '1.0.0') as { paths: Record<string, Record<string, Described>> };
  const file = { schema: { type: 'string', format: 'binary' } };
  for (const { id, path, method, takesSheet, answer } of operations) {
    const described = paths[path]?.[method];
    expect(described?.responses, id).toHaveProperty('422');
    const sent = Object.values(described?.requestBody?.content ?? {});
    if (takesSheet) expect(sent, id).toEqual(sent.map(() => file));
    const got = described?.responses['200']?.content ?? {};
    if (!isFile(answer)) continue;
    expect(Object.keys(got).join(), id).toMatch(/^(?:(?:text|application|image|video)\/[\w.+*-]+,?)+$/);
    expect(Object.values(got), id).toEqual(Object.values(got).map(() => file));
  }
});
