/** The front page of the sandbox, for browsers. */
import { apiOperations } from './operations.ts';

export function frontPage(url: string, adminUrl: string): string {
  const rows = Object.entries(apiOperations).map(
    ([operation, { method, path }]) =>
      `<tr><td>${operation}</td><td>${method}</td><td><code>${path}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sandbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
  table { border-collapse: collapse; width: 100% }
  td, th { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd }
  pre { background: #f4f4f4; padding: 1rem; overflow: auto }
</style>
</head>
<body>
<h1>Sandbox of the creator publishing service</h1>
<p>It answers like the service, and nothing leaves this machine. Every operation needs the header
<code>x-api-key</code>. See <a href="/openapi.json">/openapi.json</a> for the full description.</p>
<table><tr><th>Operation</th><th>Method</th><th>Path</th></tr>
${rows.join('\n')}
</table>
<h2>Activity</h2>
<p><a href="${adminUrl}/stats">Statistics</a> · <a href="${adminUrl}/effects">effects</a> ·
<a href="${adminUrl}/calls?limit=100">calls</a> · <a href="${adminUrl}/creators">creators</a> ·
<a href="${adminUrl}/notifications">notifications</a> · <a href="${adminUrl}/faults">faults</a></p>
<p>A post that is allowed but hardly meant has <code>notes</code> in the effects; with <code>--strict</code> it is refused.</p>
<h2>Inject faults</h2>
<pre>curl -X POST ${adminUrl}/faults -H 'content-type: application/json' \\
  -d '{ "operation": "createCreatorPost", "kind": "lost-answer" }'
curl -X DELETE ${adminUrl}/faults</pre>
<p>Service at <code>${url}</code>.</p>
</body>
</html>
`;
}
