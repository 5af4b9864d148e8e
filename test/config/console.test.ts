import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../config/load.ts';

describe('the environment of the console', () => {
  it('is as it is written, without needless parts', () => {
    const env = {
      CONSOLE_ORIGIN: 'https://Console.example:443/',
      CONSOLE_BASE: '/tools/campaigns/',
      CONSOLE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    };
    expect(readEnvironment(env)).toMatchObject({
      consoleOrigin: 'https://console.example',
      consoleBase: '/tools/campaigns',
      consoleTrustedProxies: ['10.0.0.0/8', '::1'],
    });
  });

  it('may be empty', () => {
    expect(readEnvironment({ CONSOLE_ORIGIN: '', CONSOLE_BASE: '/' })).toMatchObject({
      consoleOrigin: undefined,
      consoleBase: '',
      consoleTrustedProxies: [],
      consoleAdminPassword: undefined,
    });
  });

  it.each([
    ['CONSOLE_ORIGIN', 'console.example'],
    ['CONSOLE_ORIGIN', 'https://console.example/path'],
    ['CONSOLE_ORIGIN', 'https://anna:pw@console.example'],
    ['CONSOLE_ORIGIN', 'ftp://console.example'],
    ['CONSOLE_BASE', 'tools'],
    ['CONSOLE_BASE', '//evil.example'],
    ['CONSOLE_BASE', '/a/../b'],
    ['CONSOLE_BASE', '/a?b'],
    ['CONSOLE_TRUSTED_PROXIES', '10.0.0.1, proxy'],
  ])('%s cannot be %s', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(`${name} is "${value}": it must be`);
  });
});
