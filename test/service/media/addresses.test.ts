import { expect, test } from 'vitest';
import { AddressPolicy, parseMediaUrl } from '../../../src/service/media/addresses.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  '100::1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '192.0.0.192',
  '192.80.8.124',
  '100.100.100.200',
  '161.26.0.10',
  '166.9.12.1',
  '199.36.153.8',
  'fd00:ec2::254',
  'not an address',
])('%s is not public', (address) => {
  expect(new AddressPolicy([]).permits(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
])('%s is public', (address) => {
  expect(new AddressPolicy([]).permits(address)).toBe(true);
});

test('only allowed addresses are permitted', () => {
  const policy = new AddressPolicy(['10.1.0.0/16', '192.168.0.7', '::1', 'fd00::/8']);
  const permits = (address: string) => policy.permits(address);

  expect(['10.1.2.3', '::ffff:10.1.2.3', '192.168.0.7', '::1', 'fd01::1'].filter(permits)).toHaveLength(5);
  expect(['10.2.0.1', '192.168.0.8', '127.0.0.1', 'fc00::1', '::2'].filter(permits)).toEqual([]);
});

test('0.0.0.0/0 permits all of IPv4 and no IPv6', () => {
  const policy = new AddressPolicy(['0.0.0.0/0']);

  expect([policy.permits('127.0.0.1'), policy.permits('::1')]).toEqual([true, false]);
});

test.each([
  ['http://0x7f000001/a', '127.0.0.1'],
  ['http://127.1/a', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['http://127.0.0.1。/', '127.0.0.1'],
])('%s becomes the address that it means', (text, hostname) => {
  const url = parseMediaUrl(text);

  expect(url.hostname).toBe(hostname);
  expect(new AddressPolicy([]).permits(url.hostname.replaceAll(/[[\]]/g, ''))).toBe(false);
});

test.each([
  'ftp://example.com/a.mp4',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'gopher://example.com',
  '//example.com/a',
  'http://',
  'https://exa mple.com',
  'https://user@example.com/a',
  'https://user:pass@example.com/a',
  'a.mp4',
])('%s is refused', (text) => {
  expect(() => parseMediaUrl(text)).toThrow(expect.objectContaining({ code: 'media_url_invalid' }));
});

test('a password does not appear in the error', () => {
  expect(() => parseMediaUrl('https://user:hunter2@example.com/a')).toThrow(
    expect.objectContaining({ subject: 'https://example.com/a' }),
  );
});

test.each(['http://10.0.0.1/a', 'http://[::1]/a', 'http://0x7f.1/a'])(
  '%s is refused before it is resolved',
  (text) => {
    expect(() => new AddressPolicy([]).checkWritten(parseMediaUrl(text))).toThrow(
      expect.objectContaining({ code: 'media_address_refused' }),
    );
  },
);

test.each(['http://localhost/a', 'https://example.com/a', 'http://8.8.8.8/a'])(
  '%s is accepted until it is resolved',
  (text) => {
    expect(() => new AddressPolicy([]).checkWritten(parseMediaUrl(text))).not.toThrow();
  },
);
