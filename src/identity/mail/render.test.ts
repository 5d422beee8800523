import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMail } from './render.ts'
import { type MailKind, mails } from './text.ts'

const kinds = Object.keys(mails) as MailKind[]
const HOSTILE = `<a href="//x.example">'&\r\nBcc: x@y.example`
const ESCAPED = '&lt;a href=&quot;//x.example&quot;&gt;&#39;&amp; Bcc: x@y.example'

const namesIn = (kind: MailKind): string[] => {
  const { subject, paragraphs } = mails[kind]
  const text = [subject, ...paragraphs].flatMap(phrase => Object.values(phrase)).join(' ')
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]
}

const valuesOf = (kind: MailKind, value: string) => Object.fromEntries(namesIn(kind).map(name => [name, value]))

for (const kind of kinds)
  test(`the mail ${kind} takes every value as one line of text, in its subject, its text and its HTML`, () => {
    for (const locale of ['en', 'pt']) {
      const { subject, text, html } = renderMail(kind, locale, valuesOf(kind, HOSTILE))
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.ok(!html.includes('<a href="//x.example'), html)
      assert.doesNotMatch(text, /^Bcc/m)
      if (namesIn(kind).length > 0) assert.ok(html.includes(ESCAPED), html)
      assert.ok(html.includes(`<html lang="${locale}">`))
      assert.ok(!/\{\w+\}/.test(subject + text), 'every value is filled in')
    }
  })

test('a code is highlighted, a link can be followed, and other text is a paragraph', () => {
  const shown = kinds.map(kind => {
    const values = {
      ...valuesOf(kind, 'w'),
      code: '123456',
      link: 'https://s.example/l',
      account: 'https://s.example/a',
    }
    const { html, text } = renderMail(kind, 'en', values)
    const lines = text.trimEnd().split('\n\n')
    for (const [alone, markup] of [
      ['123456', '<p><strong>123456</strong></p>'],
      ['https://s.example/l', '<p><a href="https://s.example/l">https://s.example/l</a></p>'],
      ['https://s.example/a', '<p><a href="https://s.example/a">https://s.example/a</a></p>'],
    ] as const)
      assert.equal(html.includes(markup), lines.includes(alone), `${kind}: ${alone}`)
    assert.equal(html.match(/<p>/g)?.length, lines.length)
    assert.equal(
      html.match(/<strong>|<a /g)?.length ?? 0,
      lines.filter(line => /^(?:123456|https:\S+)$/.test(line)).length,
    )
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
    return html
  })
  assert.ok(shown.some(html => html.includes('<strong>')) && shown.some(html => html.includes('<a href=')))
})

test('a value has 1,000 characters at most', () => {
  const kind = kinds.find(one => namesIn(one).length > 0)
  assert.ok(kind)
  const { text } = renderMail(kind, 'en', valuesOf(kind, 'ab'.repeat(600)))
  assert.ok(text.includes('ab'.repeat(500)) && !text.includes('ab'.repeat(501)))
})

test('an unknown mail is refused', () => {
  for (const kind of ['none', 'toString', '']) assert.throws(() => renderMail(kind, 'en', {}), /no mail of the kind/)
})
