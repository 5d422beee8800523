import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  describeDestination,
  isHttpsCallback,
  isOnDevice,
  localUri,
  loopbackUri,
  matchesRedirect,
  privateUseScheme,
} from './redirect-uri.ts'

const registered = [
  'http://127.0.0.1/cb',
  'http://[::1]/cb',
  'http://localhost/only',
  'https://app.example/cb',
  'https://app.example:8443/cb?from=school',
]

suite('a requested redirect URI is a registered one', () => {
  const table: [string, boolean][] = [
    ['http://127.0.0.1/cb', true],
    ['http://127.0.0.1:53817/cb', true],
    ['http://[::1]:1/cb', true],
    ['http://localhost:8080/only', true],
    // Hosts of this computer are never taken for each other.
    ['http://localhost/cb', false],
    ['http://127.0.0.1/only', false],
    ['http://[::1]/only', false],
    ['http://LOCALHOST/only', false],
    ['http://127.0.0.1/cb/', false],
    ['http://127.0.0.1:65536/cb', false],
    ['https://127.0.0.1/cb', false],
    ['https://app.example/cb', true],
    ['https://app.example:8443/cb?from=school', true],
    // HTTPS is compared byte for byte.
    ['https://app.example:443/cb', false],
    ['https://app.example:8443/cb', false],
    ['https://APP.example/cb', false],
    ['HTTPS://app.example/cb', false],
    ['http://app.example/cb', false],
    ['https://app.example/cb/', false],
    ['https://app.example/CB', false],
    ['https://app.example/%63b', false],
    ['https://app.example/cb?x=1', false],
    ['https://app.example/cb#f', false],
    ['https://app.example/x/../cb', false],
    ['https://app.example@evil.example/cb', false],
    ['https://app.example:1@evil.example/cb', false],
    ['https://app.example.evil.example/cb', false],
    ['https://app.example%2eevil.example/cb', false],
    ['https://app.example\\@evil.example/cb', false],
    ['https://app.example/cb ', false],
    ['https://app.example/cb\n', false],
    ['//app.example/cb', false],
    ['javascript://app.example/%0aalert(1)', false],
  ]
  for (const [requested, expected] of table)
    test(`${JSON.stringify(requested)}: ${expected}`, () =>
      assert.equal(matchesRedirect(registered, requested), expected))

  test('what is no callback at all matches nothing, even itself', () => {
    for (const text of ['javascript:alert(1)', 'https://app.example/cb#f', 'https://user@app.example/', 'app:/cb'])
      assert.equal(matchesRedirect([text], text), false, text)
  })
})

test('a scheme of an app has a period, and is compared byte for byte', () => {
  const good = ['com.example.app:/cb', 'com.example.app://auth/cb', 'a.b:/', 'org.x-1.y+z:/a/b;c?d=e']
  for (const text of good) {
    assert.equal(privateUseScheme(text), text.slice(0, text.indexOf(':')), text)
    assert.ok(matchesRedirect([text], text) && isOnDevice(text), text)
    assert.equal(matchesRedirect([text], `${text}x`), false, text)
  }
  const bad = ['app:/cb', 'a.b:', 'a.b:c', 'a.b:///c', 'a.b://', 'a.b:/c#d', 'A.b:/c', 'a..b:/c', 'a.:/c', '.a:/c']
  const more = [
    'a.b:/c?code=1',
    'a.b:/../c',
    'a.b://u@h/c',
    'a.b://h:1/c',
    'javascript.a:alert(1)',
    'a.b:/é',
    'a.b:/c\n',
  ]
  for (const text of [...bad, ...more]) {
    assert.equal(privateUseScheme(text), undefined, text)
    assert.equal(matchesRedirect([text], text), false, text)
  }
  assert.deepEqual(['https://app.example:8443/cb', 'http://localhost:3/cb', 'a.b:/c'].map(describeDestination), [
    'app.example:8443',
    'localhost:3',
    'a.b:',
  ])
})

test('localhost is an address of this computer, but no loopback literal', () => {
  assert.deepEqual(localUri('http://localhost:3/x'), { host: 'localhost', port: '3', path: '/x' })
  assert.equal(loopbackUri('http://localhost:3/x'), undefined)
  assert.deepEqual(loopbackUri('http://127.0.0.1'), { host: '127.0.0.1', port: '', path: '/' })
})

test('a redirect URI whose query has a parameter of the response is refused', () => {
  assert.equal(isHttpsCallback('https://app.example/cb?team=7&mode='), true)
  for (const name of ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', '%63ode'])
    assert.equal(isHttpsCallback(`https://app.example/cb?a=1&${name}=x`), false, name)
})
