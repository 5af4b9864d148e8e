/** Creates AI generations (contract, section 4.2). */

import { instantOf } from '../../api/contract/time-zone.ts';
import { outcomesOf } from '../clocks/generation-clock.ts';
import { badField, success } from '../http/answer.ts';
import { faultOf, route } from './route.ts';

/** Most outputs of a strict sandbox; the contract has no bound. */
const strictOutputs = 100;
/** Most bytes of a list of tasks, each of which repeats the request, so that one call cannot fill the memory. */
const listBytes = 64 * 1024 * 1024;

export const createAiGenerationSchedule = route(
  'createAiGenerationSchedule',
  (request, call, surroundings) => {
    const { store, strict } = surroundings;
    const held = Math.floor(listBytes / (1024 + 2 * Buffer.byteLength(JSON.stringify(request))));
    const most = strict ? Math.min(strictOutputs, held) : held;
    if (request.nums > most) throw badField('nums', `must be at most ${most}`);
    const former = store.generations.countOfPrompt(request.params.prompt);
    const forced = faultOf(call, 'generation-outcome');
    const outcomes = outcomesOf(request, former).map((outcome) => forced?.status ?? outcome);
    const beginAt = Math.max(call.at, instantOf(request.execAt ?? '') ?? 0);
    return success(store.generations.add(call.number, call.at, beginAt, request, outcomes));
  },
);
