/** AI generation: schedules and their tasks (contract, sections 4.2 and 4.3). */
import type { AiGenerationSchedule, AiTaskPage, CreateAiGenerationSchedule } from './contract/generation.ts';
import { uriOf } from './contract/uri.ts';
import type { CallOptions, Listed, OperationCaller } from './transport/caller.ts';

export class Generations {
  readonly #caller: OperationCaller;

  constructor(caller: OperationCaller) {
    this.#caller = caller;
  }

  /** Not idempotent: a repeated call generates again. @throws {OutcomeUnknownError} when it may have been created; {ApiError} */
  create(request: CreateAiGenerationSchedule, options?: CallOptions): Promise<AiGenerationSchedule> {
    return this.#caller.call('createAiGenerationSchedule', withUris(request), options);
  }

  /** The tasks of a schedule, in the order of the answer, and how many there are in all. A missing task has not ended. @throws {ApiError} */
  list(scheduleId: string, options?: CallOptions): Promise<Listed<AiTaskPage>> {
    return this.#caller.callList('listAiTasksByScheduleId', { scheduleId }, options);
  }
}

function withUris<R extends CreateAiGenerationSchedule>(request: R): R {
  const { inputReference, inputReferences } = request.params;
  if (inputReference === undefined && inputReferences === undefined) return request;
  const params = {
    ...request.params,
    ...(inputReference !== undefined && { inputReference: uriOf(inputReference) }),
    ...(inputReferences && { inputReferences: inputReferences.map(uriOf) }),
  };
  return { ...request, params };
}
