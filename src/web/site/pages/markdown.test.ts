import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingsFrom, markdown } from './markdown.ts'

const computeLevels = (level: number, ...levels: readonly number[]): string[] => {
  const { html } = headingsFrom(level, levels.map(n => `<h${n} id="a">x</h${n}>`).join(''))
  assert.doesNotMatch(html, /<h(\d)[^>]*>x<\/h(?!\1)/)
  return [...html.matchAll(/<h(\d)/g)].map(([, n = '']) => n)
}

test('headings of a text begin below that of the page, leave no level out and end at 6', () => {
  assert.deepEqual(computeLevels(2, 1, 2, 3, 2, 1), ['2', '3', '4', '3', '2'])
  assert.deepEqual(computeLevels(3, 3, 5, 5, 2, 6), ['3', '4', '4', '3', '4'])
  assert.deepEqual(computeLevels(4, 1, 2, 3, 4, 5, 6), ['4', '5', '6', '6', '6', '6'])
})

test('Markdown is rendered without pictures, and the same text at another level again', () => {
  const source = '## A\n\n**b** ![c](https://elsewhere.example/c.png)'
  assert.match(markdown(2, source).html, /<h2>A<\/h2>\s*<p><strong>b<\/strong>\s*<\/p>/)
  assert.match(markdown(3, source).html, /<h3>A<\/h3>/)
})
