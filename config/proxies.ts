/** The proxies of the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or the same in lower case, which counts first. */

/** A proxy. Its password is never shown. */
export interface ProxyServer {
  /** The variable that names it. */
  readonly variable: string;
  /** Host and port, for people. */
  readonly name: string;
  readonly hostname: string;
  readonly port: number;
  /** Whether the connection to the proxy itself is encrypted. */
  readonly isEncrypted: boolean;
  /** Value of the header `Proxy-Authorization`: a secret. */
  readonly authorization: string | undefined;
}

export interface ProxySettings {
  /** For `https:` URLs. */
  readonly https: ProxyServer | undefined;
  /** For `http:` URLs. */
  readonly http: ProxyServer | undefined;
  /** Hosts that are reached without one, as `NO_PROXY` lists them. */
  readonly without: readonly string[];
}

export const noProxies: ProxySettings = { https: undefined, http: undefined, without: [] };

const mostEntries = 1000;

/** @throws {RangeError} with a message that names the variable, but not its value: it may hold a password. */
export function readProxyVariables(env: NodeJS.ProcessEnv): ProxySettings {
  const https = readServer(env, 'https_proxy');
  const http = readServer(env, 'http_proxy');
  if (https === undefined && http === undefined) return noProxies;
  const list = env.no_proxy ?? env.NO_PROXY ?? '';
  const without = list.split(/[\s,]/).filter((entry) => entry !== '');
  return { https, http, without: without.slice(0, mostEntries) };
}

function readServer(env: NodeJS.ProcessEnv, name: string): ProxyServer | undefined {
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  const text = env[variable]?.trim();
  if (!text) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (
    !url ||
    !isHttp ||
    url.hostname === '' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new RangeError(
      `${variable} is not the URL of a proxy: it must be http://HOST:PORT or https://HOST:PORT`,
    );
  }
  const isEncrypted = url.protocol === 'https:';
  const port = url.port === '' ? (isEncrypted ? 443 : 80) : Number(url.port);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    variable,
    name: `${url.hostname}:${port}`,
    hostname,
    port,
    isEncrypted,
    authorization: authorizationOf(url, variable),
  };
}

function authorizationOf({ username, password }: URL, variable: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(user).toString('base64')}`;
  } catch {
    throw new RangeError(`${variable} has a user or password that is not percent-encoded`);
  }
}
