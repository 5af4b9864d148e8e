/** How the sandbox describes itself: a page for browsers, and an OpenAPI 3.1 document, built from the schemas that check its requests. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { integerId } from '../../service/contract/envelope.ts';
import { operationFacts } from '../../service/contract/operations.ts';
import { type ApiOperationId, apiOperationIds, apiOperations, asDocumented } from './operations.ts';

type Schema = Record<string, unknown>;

const refusals: Readonly<Record<string, string>> = {
  '400': 'Invalid parameters or body; `data.field` names the field.',
  '401': 'API key missing or invalid.',
  '403': 'API key without permission for the operation.',
  '429': 'Too many requests.',
  '500': 'Unexpected server error.',
};

/** @param url origin of the sandbox. @param strict whether its own rules hold, too. */
export function describeApi(url: string, strict: boolean): Schema {
  const paths: Record<string, Schema> = {};
  for (const operation of apiOperationIds) {
    const { method, path } = apiOperations[operation];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, strict) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox of the creator publishing service',
      version: '1.9.0',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
    paths,
  };
}

function describeOperation(operationId: ApiOperationId, strict: boolean): Schema {
  const { method, request, response } = apiOperations[operationId];
  const input = schemaOf(strict ? request : asDocumented(request), 'input');
  const responses: Record<string, Schema> = {
    '200': answer('Success when `code` is 0; a business error otherwise.', schemaOf(response, 'output')),
  };
  for (const [status, description] of Object.entries(refusals)) responses[status] = answer(description);
  if (operationId === 'fetchPublicVideoData') responses['404'] = answer('The public work does not exist.');
  const given =
    method === 'GET'
      ? { parameters: parameters(input) }
      : { requestBody: { required: true, content: { 'application/json': { schema: input } } } };
  return { operationId, summary: operationFacts[operationId].summary, ...given, responses };
}

function parameters(query: Schema): Schema[] {
  const required = (query.required ?? []) as string[];
  return Object.entries((query.properties ?? {}) as Record<string, Schema>).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema };
  });
}

function answer(description: string, data: Schema = { type: 'object' }): Schema {
  const properties = {
    code: { type: 'integer' },
    data,
    message: { type: 'string' },
    timestamp: { type: 'integer' },
  };
  const schema = { type: 'object', required: ['code', 'data', 'message'], properties };
  return { description, content: { 'application/json': { schema } } };
}

/** JSON has one kind of integer. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Schema }): void {
  if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
  if (zodSchema === integerId) Object.assign(jsonSchema, { anyOf: undefined, type: 'integer', minimum: 0 });
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) as Schema;
  return rest;
}

export function frontPage(url: string, adminUrl: string): string {
  const rows = Object.entries(apiOperations).map(
    ([operation, { method, path }]) =>
      `<tr><td>${operation}</td><td>${method}</td><td><code>${path}</code></td></tr>`,
  );
  const page = readFileSync(new URL('../assets/page.html', import.meta.url), 'utf8');
  return page.replace('{rows}', rows.join('\n')).replaceAll('{url}', url).replaceAll('{adminUrl}', adminUrl);
}
