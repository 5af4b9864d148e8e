/** A caller of the REST API. */
import { apiPath } from '../../src/console/app.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
  /** Of a JSON answer. */
  readonly body: Record<string, unknown>;
}

export interface ApiCall {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An object is sent as JSON, a text as CSV. */
  readonly body?: object | string | undefined;
}

/** @param url origin of the console. @param path below `/api/v1`. */
export async function callApi(url: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> {
  const { method = 'GET', body, headers } = call;
  const sent = typeof body === 'object' ? JSON.stringify(body) : body;
  const type = typeof body === 'object' ? 'application/json' : 'text/csv';
  const answer = await fetch(`${url}${apiPath}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await answer.text();
  const contentType = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const isJson = contentType.endsWith('json') && !answer.headers.has('content-disposition');
  return {
    status: answer.status,
    type: contentType,
    headers: answer.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
