import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { documentAddress } from './address.ts'
import { computeCacheLifetime } from './cache-lifetime.ts'
import { isPublicAddress } from './public-address.ts'

suite('K-04 the grammar of a client_id that is the address of a document', () => {
  const good = [
    'https://app.example/client.json',
    'https://app.example:443/c',
    'https://app.example:1024/a/b/',
    'https://app.example:65535/c',
    'https://xn--bcher-kva.example/c',
    'https://a.b.c.d.example/~x/%20;p=1,2@:!$',
    'https://app.example//c',
    'https://app.example/.well-known/...',
  ]
  for (const text of good) test(`good: ${text}`, () => assert.notEqual(documentAddress(text), undefined))

  const bad = [
    'http://app.example/c',
    'HTTPS://app.example/c',
    'https://App.example/c',
    'https:/app.example/c',
    'https:app.example/c',
    'https://app.example',
    'https://app.example/',
    'https://app.example:8080',
    'https://app.example:/c',
    'https://app.example:0/c',
    'https://app.example:22/c',
    'https://app.example:80/c',
    'https://app.example:1023/c',
    'https://app.example:0443/c',
    'https://app.example:65536/c',
    'https://app.example/c?',
    'https://app.example/c?a=1',
    'https://app.example/c#f',
    'https://app.example/c#',
    'https://user@app.example/c',
    'https://user:secret@app.example/c',
    'https://app.example/../c',
    'https://app.example/a/./c',
    'https://app.example/a/..',
    'https://app.example/%2e%2E/c',
    'https://app.example/.%2e/c',
    'https://app.example/a b',
    'https://app.example/a\\b',
    'https://app.example/%zz',
    'https://app.example/é',
    'https://app.example\\@evil.example/c',
    'https://app.example./c',
    'https://.example/c',
    'https://-app.example/c',
    'https://app_x.example/c',
    'https://localhost/c',
    'https://app/c',
    'https://127.0.0.1/c',
    'https://127.1/c',
    'https://2130706433/c',
    'https://0x7f000001/c',
    'https://0x7f.1/c',
    'https://0177.0.0.1/c',
    'https://a.0x7f/c',
    'https://[::1]/c',
    'https://[::ffff:127.0.0.1]/c',
    'https://１２７.0.0.1/c',
    'https://app.example/c\n',
    ' https://app.example/c',
    'https://app.ex\tample/c',
    `https://app.example/${'c'.repeat(236)}`,
  ]
  for (const text of bad) test(`bad: ${JSON.stringify(text)}`, () => assert.equal(documentAddress(text), undefined))

  test('255 bytes are enough, and host, port and path come back as written', () => {
    const text = `https://app.example:8443/${'c'.repeat(230)}`
    assert.equal(text.length, 255)
    assert.deepEqual(documentAddress(text), { host: 'app.example', port: 8443, path: `/${'c'.repeat(230)}` })
  })

  test('H-12 a hostile text is judged in linear time', () => {
    const judge = (): number => {
      const begin = performance.now()
      for (const part of ['a', 'a.', '%', '/', '-', '%20', 'a-'])
        documentAddress(`https://${part.repeat(50_000)}\u0000`)
      for (const part of ['a', 'a.', '%', '/', '-', '%20', 'a-'])
        documentAddress(`https://${part.repeat(245 / part.length)}`.slice(0, 254))
      return performance.now() - begin
    }
    // The quickest of some is how long it takes; a machine that does other things makes the others longer.
    assert.ok(Math.min(...Array.from({ length: 10 }, judge)) < 50)
  })
})

suite('K-01 addresses that are of a special use', () => {
  const special = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.9',
    '192.0.0.170',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a00:1',
    '::ffff:0:10.0.0.1',
    '::8.8.8.8',
    '::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:1::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2001:DB8:1::1',
    '2002::1',
    '2002:a00:1::1',
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%lo',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '2606:4700::1%eth0',
    '',
    'app.example',
    '2130706433',
    '0x7f.1',
    '127.1',
    '010.0.0.1',
  ]
  for (const address of special) test(`refused: ${address}`, () => assert.equal(isPublicAddress(address), false))

  const ordinary = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '192.167.0.1',
    '198.17.0.1',
    '223.255.0.1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '3ffe::1',
    '2620:4f:8001::1',
  ]
  for (const address of ordinary) test(`allowed: ${address}`, () => assert.equal(isPublicAddress(address), true))
})

suite('RFC 9111 §4.2 how long a document is kept', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  const table: [Record<string, string>, number][] = [
    [{}, 300],
    [{ 'cache-control': 'max-age=600' }, 600],
    [{ 'cache-control': 'public, MAX-AGE="700"' }, 700],
    [{ 'cache-control': 'max-age=1' }, 300],
    [{ 'cache-control': 'max-age=999999' }, 86_400],
    [{ 'cache-control': 'max-age=99999999999' }, 86_400],
    [{ 'cache-control': 'max-age=-5' }, 300],
    [{ 'cache-control': 'max-age=600, s-maxage=900' }, 900],
    [{ 'cache-control': 'x-max-age=900' }, 300],
    [{ 'cache-control': 'max-age=6000, no-store' }, 300],
    [{ 'cache-control': 'no-cache' }, 300],
    [{ 'cache-control': 'max-age=1000', age: '400' }, 600],
    [{ 'cache-control': 'max-age=1000', age: 'old' }, 1000],
    [{ expires: 'Sat, 21 Nov 2026 11:00:00 GMT', date }, 3600],
    [{ expires: 'Sat, 21 Nov 2026 09:00:00 GMT', date }, 300],
    [{ expires: '0', date }, 300],
    [{ expires: 'Sat, 21 Nov 2026 11:00:00 GMT' }, 300],
    [{ 'cache-control': 'max-age=400', expires: 'Sat, 21 Nov 2026 11:00:00 GMT', date }, 400],
  ]
  for (const [headers, seconds] of table)
    test(JSON.stringify(headers), () => assert.equal(computeCacheLifetime(headers), seconds))
})
