/** All operations: what people and programs can do, by the REST API, the command line, or the package. */
import { hostname } from 'node:os';
import type { OpenManifest } from '../importers/open/manifest-file.ts';
import { accessOperations } from './operations/access.ts';
import { aliasOperations } from './operations/aliases.ts';
import { approvalOperations } from './operations/approvals.ts';
import { campaignOperations } from './operations/campaigns.ts';
import { decisionOperations } from './operations/decisions.ts';
import { draftOperations } from './operations/drafts.ts';
import { limitOperations } from './operations/limits.ts';
import {
  type Answers,
  callOperation,
  type DocumentOf,
  type FullContext,
  type Operation,
} from './operations/operation.ts';
import { rowOperations } from './operations/rows.ts';
import { sheetOperations } from './operations/sheets.ts';
import { openTools, type Tools } from './operations/tools.ts';
import { videoOperations } from './operations/videos.ts';
import { systemUser } from './runtime/machine.ts';
import type { Runtime } from './runtime/runtime.ts';

/** In the order of the REST API's document. */
const table = {
  ...campaignOperations,
  ...rowOperations,
  ...decisionOperations,
  ...approvalOperations,
  ...sheetOperations,
  ...draftOperations,
  ...aliasOperations,
  ...videoOperations,
  ...limitOperations,
  ...accessOperations,
};

export interface NamedOperation extends Operation {
  readonly id: string;
}

export const allOperations: readonly NamedOperation[] = Object.entries(table).map(([id, operation]) => ({
  id,
  ...(operation as Operation),
}));

type Table = typeof table;

/**
 * Operations by id, for programs: each takes a runtime, the fields of its request, and a sheet if it needs one. It returns the document of
 * its answer, or a file to write.
 */
export type Operations = {
  readonly [Id in keyof Table]: Table[Id] extends Operation<
    never,
    infer Answer extends Answers,
    infer _In,
    infer Given
  >
    ? (runtime: Runtime, given: Given, sheet?: OpenManifest) => Promise<DocumentOf<Answer>>
    : never;
};

/** They throw `UseCaseError`: `request_invalid` for wrong fields, and the codes of their problems. */
export const operations = Object.fromEntries(
  allOperations.map((operation) => [
    operation.id,
    (runtime: Runtime, given: unknown, sheet?: OpenManifest) =>
      callOperation(operation, contextOf(runtime, operation.id, sheet), given),
  ]),
) as unknown as Operations;

const openedTools = new WeakMap<Runtime, Tools>();

function contextOf(runtime: Runtime, id: string, sheet: OpenManifest | undefined): FullContext {
  const tools = openedTools.get(runtime) ?? openTools(runtime);
  openedTools.set(runtime, tools);
  return {
    ...tools,
    person: { name: systemUser(), isAnybody: false },
    source: { from: `program on ${hostname()}`, by: id },
    left: new AbortController().signal,
    sheet,
  };
}
