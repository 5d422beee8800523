import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBrowser } from './device.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'Firefox, Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Edge, Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
  'Chrome, Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
  'Safari, iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Safari, macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
}

test('a browser is named as a person knows it', () => {
  for (const [name, header] of Object.entries(HEADERS)) assert.equal(describeBrowser(header), name)
})

test('a header that says nothing we know is one visible line of at most 100 characters', () => {
  assert.equal(describeBrowser('lynx/2.9 \u202e\u0007 <b>'), 'lynx/2.9 <b>')
  assert.equal(describeBrowser('x'.repeat(5000))?.length, 100)
  assert.equal(describeBrowser(' \u0000 '), undefined)
  assert.equal(describeBrowser(undefined), undefined)
})
