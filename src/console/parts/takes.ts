/** The cost of a retry, shown before anything is sent. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { count, number } from './numbers/numbers.ts';

interface Cost {
  readonly calls: number;
  readonly outputs: number;
}

/** The sums of a plan; none without a plan. */
export function costOf(
  plan: { readonly calls: Readonly<Record<string, number>>; readonly aiOutputs: number } | null | undefined,
): Cost {
  const calls = Object.values(plan?.calls ?? {}).reduce((sum, many) => sum + many, 0);
  return { calls, outputs: plan?.aiOutputs ?? 0 };
}

/** `At least 5 calls, 1 AI output, which costs again.` */
export function takes({ calls, outputs }: Cost): Html {
  return html`<p><b>At least ${count(calls, 'call')}, ${ofOutputs(outputs)}.</b> ${again}</p>`;
}

/** The same for several rows, as a list. */
export function takesOfRows(rows: number, cost: Cost): Html {
  const { calls, outputs } = cost;
  if (rows === 1) return takes(cost);
  const line = (what: string, many: number) =>
    html`<tr><th scope="row">${what}</th><td class="n">${number(many)}</td></tr>`;
  return html`<table><tbody>
    ${line('Rows done again', rows)}${line('Calls, at least', calls)}${line(outputs === 0 ? 'AI outputs' : 'AI outputs, which cost again', outputs)}
  </tbody></table><p class="note">${again}</p>`;
}

const again = 'Steps that are done are not repeated: uploaded files, products in the showcase.';

function ofOutputs(outputs: number): string {
  if (outputs === 0) return 'no AI outputs';
  return `${count(outputs, 'AI output')}, which ${outputs === 1 ? 'costs' : 'cost'} again`;
}
