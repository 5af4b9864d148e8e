/** Each alert fires and does not fire, by `promtool test rules`, and has its entry in the runbook. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/folder.ts';
import { lacking } from '../support/lacking.ts';
import { projectRoot } from '../support/sheets/manifests.ts';
import { type Case, cases } from './alert-cases.ts';

interface Rule {
  readonly alert: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const { spec } = parse(read('deploy/monitoring/alerts.yaml')) as { spec: { groups: { rules: Rule[] }[] } };
const rules = spec.groups.flatMap((group) => group.rules);

/**
 * Asks `ALERTS` which ones fire, so that texts need not be repeated here. Cases have a namespace each, so that promtool plays them
 * together; what is absent, is absent from all.
 */
function check({ alert, when, at, fires: expected }: Case, namespace: string) {
  const isApart = alert.endsWith('Absent');
  const firing = `ALERTS{alertname="${alert}", alertstate="firing"${isApart ? '' : `, namespace="${namespace}"`}}`;
  return {
    expr: `sum without (alertstate, severity) (${firing}) # ${when}`,
    eval_time: at,
    exp_samples: expected.map((labels) => {
      const told = { alertname: alert, ...labels, ...(!isApart && { namespace }) };
      const pairs = Object.entries(told).map(([name, value]) => `${name}="${value}"`);
      return { labels: `{${pairs.join(', ')}}`, value: 1 };
    }),
  };
}

function group(some: readonly Case[]) {
  const input = some.flatMap(({ series }, index) =>
    Object.entries(series).map(([name, values]) => ({
      series: name.replace('namespace="n"', `namespace="n${index}"`),
      values,
    })),
  );
  const checks = some.map((each, index) => check(each, `n${index}`));
  return { interval: '1m', input_series: input, promql_expr_test: checks };
}

describe('alerts', () => {
  it('each have a case in which they fire, and one in which they do not', () => {
    const having = (is: boolean) =>
      new Set(cases.filter((each) => each.fires.length > 0 === is).map(({ alert }) => alert));
    const names = new Set(rules.map(({ alert }) => alert));
    expect(having(true)).toEqual(names);
    expect(having(false)).toEqual(names);
  });

  it('fire when they should, and not when they should not', (test) => {
    const folder = temporaryFolder();
    const together = cases.filter(({ alert }) => !alert.endsWith('Absent'));
    const apart = cases.filter(({ alert }) => alert.endsWith('Absent'));
    const tests = [group(together), ...apart.map((each) => group([each]))];
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(spec));
    writeFileSync(
      join(folder, 'cases.yaml'),
      JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }),
    );
    for (const [what, file] of [['check', 'rules.yaml'] as const, ['test', 'cases.yaml'] as const]) {
      const run = spawnSync('promtool', [what, 'rules', file], { cwd: folder, encoding: 'utf8' });
      if (run.error) return lacking(test, 'promtool');
      expect(run.status, `${run.stdout}${run.stderr}`).toBe(0);
    }
  });

  it('have an entry in the runbook with a symptom, what to check, and what to do', () => {
    const [, ...entries] = (read('docs/runbook.md').split('\n## Why')[0] ?? '').split(/^### /m);
    const shape = /^Campaigns\w+\n\n- Symptom: .+\n- Check: .+\n- Do: .+\n*$/;
    expect(entries.filter((entry) => !shape.test(entry))).toEqual([]);
  });

  it('each lead to their entry in the runbook', () => {
    const entries = new Set(
      [...read('docs/runbook.md').matchAll(/^#{2,4} (Campaigns\w+)$/gm)].map(([, name]) => name),
    );
    expect(entries).toEqual(new Set(rules.map(({ alert }) => alert)));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`https://runbooks.example.com/runbook.md#${alert.toLowerCase()}`);
    }
  });
});
