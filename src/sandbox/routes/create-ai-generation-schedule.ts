/** Creates AI generations (contract, section 4.2). */

import { instantOf } from '../../api/contract/time-zone.ts';
import { outcomesOf } from '../clocks/generation-clock.ts';
import { badField, success } from '../http/answer.ts';
import { faultOf, route } from './route.ts';

/** Our own bound, so that one call cannot fill the memory; the contract has none. */
const maxOutputs = 100;

export const createAiGenerationSchedule = route('createAiGenerationSchedule', (request, call, { store }) => {
  if (request.nums > maxOutputs) throw badField('nums', `must be at most ${maxOutputs}`);
  const former = store.generations.countOfPrompt(request.params.prompt);
  const forced = faultOf(call, 'generation-outcome');
  const outcomes = outcomesOf(request, former).map((outcome) => forced?.status ?? outcome);
  const beginAt = Math.max(call.at, instantOf(request.execAt ?? '') ?? 0);
  return success(store.generations.add(call.number, call.at, beginAt, request, outcomes));
});
