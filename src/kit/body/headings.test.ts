import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildNotes, renderBody } from './render.ts'

test('a fragment leads to a heading in any script, and to a long one however it is named', () => {
  const names = [
    '日本語の見出し',
    'Хлеб и вода',
    'خبز ساخن',
    '面包学校',
    'रोटी बनाना',
    '𠮷野家 '.repeat(30).trim(),
    'very long '.repeat(20).trim(),
  ]
  for (const name of names) {
    const fragment = name.replaceAll(' ', '-')
    const links = [fragment, encodeURIComponent(fragment), `section-${fragment}`]
    const source = `## ${name}\n\n${links.map(link => `[to](#${link})`).join(' ')}`
    const body = renderBody('lesson', source, 'markdown')
    assert.ok(typeof body !== 'string')
    const [, id = ''] = /<h2 id="([^"]+)"/.exec(body.body_html) ?? []
    assert.ok(id.isWellFormed() && id.length > 'section-'.length + 2, id)
    assert.equal(body.body_html.split(`href="#${id}"`).length - 1, links.length, body.body_html)
    assert.deepEqual(buildNotes('lesson', [body]).deadFragments, [])
  }
  const nowhere = renderBody('lesson', '[to](#見出し)', 'markdown')
  assert.ok(typeof nowhere !== 'string')
  assert.deepEqual(buildNotes('lesson', [nowhere]).deadFragments, ['見出し'])
})
