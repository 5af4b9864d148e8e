/** The OpenAPI 3.1 document of the REST API, from the schemas that check its requests and answers. */
import { z } from 'zod';
import { whoMay } from '../../app/access/roles.ts';
import { isFile, type Operation, tags } from '../../app/operations/operation.ts';
import { allOperations, type NamedOperation } from '../../app/operations.ts';
import { sessionCookie } from '../http/gate.ts';
import { problemSchema, statusOfError } from '../http/problem.ts';
import { fileParameter, isList, sheetTypes } from './read-request.ts';

type Json = Record<string, unknown>;

/** Statuses of problems of each operation, besides those of its use case. */
const titles: Readonly<Record<string, string>> = {
  '400': 'The request cannot be read.',
  '401': 'The request has no valid token or session.',
  '403': 'The role of the caller does not allow it.',
  '404': 'Nothing has this address.',
  '409': 'Nothing was changed: the present state does not allow it, or the `Idempotency-Key` is in use.',
  '413': 'The body is too large.',
  '415': 'The operation does not take this type of body.',
  '422': 'The request or the sheet is invalid.',
  '500': 'A defect, or wrong settings. See the log.',
  '502': 'The service answered with an error.',
  '503': 'Redis or the service cannot be reached, or too much is being read already.',
  '507': "The console's disk is full or not writable.",
};

/** @param url address of the API; a path alone will do. */
export function describeApi(url: string, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of allOperations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: describeOperation(operation) };
  }
  return withComponents({
    openapi: '3.1.1',
    info: {
      title: 'Campaign Runner',
      version,
      summary: 'What the console and the command line do, for programs.',
      description:
        'Lists have cursors: to get the next page, send `next` as `cursor`. Operations that start something take an `Idempotency-Key`. ' +
        'Later versions may add fields to answers. A console without users listens on loopback only, and needs no sign-in.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      responses: Object.fromEntries(
        Object.entries(titles).map(([status, description]) => [
          `Problem${status}`,
          describeProblem(description),
        ]),
      ),
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A text of your own, such as a UUID: a new one for each thing that you start. Send the same request with the same key again ' +
            'within 24 hours: it is carried out only once, and you get the same answer.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of a user (`makeToken`).',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'A browser that is signed in. Changes also need the header `X-CSRF-Token`.',
        },
      },
    },
  });
}

function describeOperation(operation: NamedOperation): Json {
  const { id, tag, summary, description, right, startsSomething = false } = operation;
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name ?? '')),
    ...Object.entries(operation.query).map(([name, schema]) => queryParameter(name, schema)),
    ...(operation.takesSheet ? [fileNameParameter()] : []),
    ...(startsSomething ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  const who = right === 'see' ? 'For all users.' : `For ${whoMay(right)}.`;
  const body = requestBody(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description === undefined ? who : `${description} ${who}`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successes(operation), ...problems(operation) },
  };
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
}

function queryParameter(name: string, schema: z.ZodType): Json {
  const { description, ...rest } = schemaOf(schema, 'output');
  return {
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    ...(description !== undefined && { description }),
    ...(isList(schema) && { style: 'form', explode: true }),
    schema: rest,
  };
}

function fileNameParameter(): Json {
  const schema = schemaOf(fileParameter, 'output');
  return { name: 'file', in: 'query', required: false, description: 'Name of the file, for people.', schema };
}

function requestBody({ body, takesSheet = false }: Operation): Json | undefined {
  if (takesSheet) {
    return { required: true, description: 'The bytes of the sheet.', content: filesOf(sheetTypes) };
  }
  if (body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } };
}

function successes({ statuses = [200], answer }: Operation): Json {
  const content = isFile(answer)
    ? filesOf(answer)
    : { 'application/json': { schema: schemaOf(answer, 'output') } };
  return Object.fromEntries(
    statuses.map((status) => [String(status), { description: successTitles[status] ?? 'Done.', content }]),
  );
}

/** A file of one of these media types, by each of them without its parameters. */
function filesOf(types: readonly string[]): Json {
  const schema = { type: 'string', format: 'binary' };
  return Object.fromEntries(types.map((type) => [type.replace(/;.*/, ''), { schema }]));
}

const successTitles: Readonly<Record<number, string>> = {
  201: 'Made.',
  202: 'Started.',
};

const problemsOfPaths = [
  ['/campaigns/{id}', ['campaign_not_found', 'campaign_unreadable']],
  ['/drafts/{id}', ['draft_not_found', 'draft_not_stored']],
  ['/rows/{key}', ['row_not_found']],
  ['/users/{name}', ['user_not_found']],
] as const;

function problems(operation: Operation): Json {
  const { body, takesSheet, startsSomething, path, right } = operation;
  const problems = [
    ...(operation.problems ?? []),
    ...problemsOfPaths.flatMap(([part, codes]) => (path.includes(part) ? codes : [])),
  ];
  const takesBody = body !== undefined || takesSheet;
  const statuses = new Set([
    // An unknown query parameter is refused by every operation.
    ...['400', '401', '422', '500', '503'],
    ...(right === 'see' ? [] : ['403']),
    ...(path.includes('{') ? ['404'] : []),
    ...(problems.length > 0 || startsSomething ? ['409'] : []),
    ...(takesBody ? ['413', '415'] : []),
    ...problems.map((code) => String(statusOfError(code))),
  ]);
  return Object.fromEntries(
    [...statuses].sort().map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

function describeProblem(description: string): Json {
  return {
    description,
    content: { 'application/problem+json': { schema: schemaOf(problemSchema, 'output') } },
  };
}

/** @param io `input`: as callers send it. `output`: as answers have it; later versions may add fields. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any' as const,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  }) as Json;
  return rest;
}

const safeInteger = Number.MAX_SAFE_INTEGER;

/** Removes details of how the zod schemas are written. Lists the fields of a record that has fixed names. */
function tidy(jsonSchema: Json, io: 'input' | 'output'): void {
  const { required, propertyNames, additionalProperties } = jsonSchema;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === -safeInteger) delete jsonSchema.minimum;
  if (jsonSchema.maximum === safeInteger) delete jsonSchema.maximum;
  if (propertyNames !== undefined && Array.isArray(required)) {
    jsonSchema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
  if (io === 'output' && additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** Moves the schemas with an `id` from where zod defines them to the components. */
function withComponents(document: Json): Json {
  const schemas: Json = {};
  const moved = JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
    if (key !== '$defs') return value;
    Object.assign(schemas, value);
    return undefined;
  });
  Object.assign(moved.components, { schemas });
  return moved;
}
