import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml, html } from './html.ts'

test('each of the five characters with a meaning in markup is escaped, everywhere in a text', () => {
  assert.equal(escapeHtml('&<>"\''), '&amp;&lt;&gt;&quot;&#39;')
  assert.equal(escapeHtml('"a" & "b"'), '&quot;a&quot; &amp; &quot;b&quot;')
  assert.equal(escapeHtml('&quot;'), '&amp;quot;')
  assert.equal(escapeHtml('Zoë’s `loaf` = 1/2'), 'Zoë’s `loaf` = 1/2')
})

test('a value of a template ends neither its attribute nor its element, in double and in single quotes', () => {
  const value = `"' onclick="alert(1)" x='<script>`
  const escaped = '&quot;&#39; onclick=&quot;alert(1)&quot; x=&#39;&lt;script&gt;'
  assert.equal(html`<a title="${value}">`.html, `<a title="${escaped}">`)
  assert.equal(html`<a title='${value}'>`.html, `<a title='${escaped}'>`)
  assert.equal(html`<p>${value}</p>`.html, `<p>${escaped}</p>`)
})

test('markup is kept, lists are joined with each text escaped, and omitted values render as nothing', () => {
  const item = (text: string) => html`<li>${text}</li>`
  assert.equal(html`<ul>${['<b>', 'c'].map(item)}</ul>`.html, '<ul><li>&lt;b&gt;</li><li>c</li></ul>')
  assert.equal(html`${['<', '>']}${0}${undefined}${false}${''}`.html, '&lt;&gt;0')
})
