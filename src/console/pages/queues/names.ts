/** Names of queues and operations for planners. */
import { operationFacts } from '../../../api/contract/operations.ts';
import { ofSteps, stepFacts } from '../../../manifest/steps.ts';
import type { QueueName } from '../../../queues/queues.ts';

/** In the order of the page: first the queues that a row goes through. */
export const queueTitles: Readonly<Record<QueueName, string>> = {
  ...ofSteps((step) => stepFacts[step].title),
  scrape: 'Videos',
  campaign: 'Admission',
  notify: 'Notifications',
};

export function operationTitle(operation: string): string {
  return new Map(Object.entries(operationFacts)).get(operation)?.title ?? operation;
}

/** Name within a sentence: `posts`. `AI generations` keeps its capitals. */
export function operationWord(operation: string): string {
  const title = operationTitle(operation);
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
}

/** Operations that rows wait for come first. */
export const operationOrder = Object.keys(operationFacts);

export function queueTitle(name: string): string {
  return new Map<string, string>(Object.entries(queueTitles)).get(name) ?? name;
}
