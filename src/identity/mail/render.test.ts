import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTable, type MailKind, type MailText, mailKinds } from '#src/contract/mail.ts'
import { renderMail } from './render.ts'
import { boundedRows } from './rows.ts'
import { mails } from './text.ts'

const kinds: readonly MailKind[] = Object.values(mails)
const HOSTILE = `<a href="//x.example">'&\r\nBcc: x@y.example`
const ESCAPED = '&lt;a href=&quot;//x.example&quot;&gt;&#39;&amp; Bcc: x@y.example'

const namesIn = ({ subject, paragraphs }: MailText): string[] => {
  const text = [subject, ...paragraphs.filter(part => !isTable(part))]
    .flatMap(phrase => Object.values(phrase))
    .join(' ')
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]
}

const buildValues = (kind: MailKind, value: string) => Object.fromEntries(namesIn(kind).map(name => [name, value]))

for (const kind of kinds)
  test(`the mail ${kind.name} takes every value as one line of text, in its subject, its text and its HTML`, () => {
    for (const locale of ['en', 'pt']) {
      const { subject, text, html } = renderMail(kind, locale, buildValues(kind, HOSTILE))
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.ok(!html.includes('<a href="//x.example'), html)
      assert.doesNotMatch(text, /^Bcc/m)
      if (namesIn(kind).length > 0) assert.ok(html.includes(ESCAPED), html)
      assert.ok(html.includes(`<html lang="${locale}">`))
      assert.ok(!/\{\w+\}/.test(subject + text), 'every value is filled in')
    }
  })

test('a code stands out, a link can be followed, and other text is a paragraph', () => {
  const shown = kinds.map(kind => {
    const values = {
      ...buildValues(kind, 'w'),
      code: '123456',
      link: 'https://s.example/l',
      account: 'https://s.example/a',
    }
    const { html, text } = renderMail(kind, 'en', values)
    const lines = text.trimEnd().split('\n\n')
    for (const [alone, markup] of [
      ['123456', '<p><strong style="font-size:32px;letter-spacing:0.12em">123456</strong></p>'],
      ['https://s.example/l', '<p><a href="https://s.example/l">https://s.example/l</a></p>'],
      ['https://s.example/a', '<p><a href="https://s.example/a">https://s.example/a</a></p>'],
    ] as const)
      assert.equal(html.includes(markup), lines.includes(alone), `${kind.name}: ${alone}`)
    assert.equal(html.match(/<p>/g)?.length, lines.length)
    assert.equal(
      html.match(/<strong |<a /g)?.length ?? 0,
      lines.filter(line => /^(?:123456|https:\S+)$/.test(line)).length,
    )
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
    return html
  })
  assert.ok(shown.some(html => html.includes('<strong ')) && shown.some(html => html.includes('<a href=')))
})

test('a value has 1,000 characters at most', () => {
  const kind = kinds.find(one => namesIn(one).length > 0)
  assert.ok(kind)
  const { text } = renderMail(kind, 'en', buildValues(kind, 'ab'.repeat(600)))
  assert.ok(text.includes('ab'.repeat(500)) && !text.includes('ab'.repeat(501)))
})

const receipt = mailKinds({
  receipt: {
    subject: { en: 'Your receipt', pt: 'O seu recibo' },
    paragraphs: [
      { en: 'You bought:', pt: 'Comprou:' },
      {
        rows: 'lines',
        columns: [{ heading: { en: 'Item', pt: 'Artigo' } }, { heading: { en: 'Amount', pt: 'Valor' }, align: 'end' }],
      },
      { rows: 'totals', columns: [{}, { align: 'end' }] },
      { en: 'Thank you, {name}.', pt: 'Obrigado, {name}.' },
    ],
  },
}).receipt

const buildRows = (...rows: string[][]) => boundedRows(rows)

test('rows are a table in HTML, and columns of one width in text, with headings in the language of the reader', () => {
  const values = {
    name: 'Dev',
    lines: buildRows(['Rye', '€ 49.00'], ['Sourdough from scratch', '€ 149.00'], ['面包', '€ 1.00']),
    totals: buildRows(['Total', '€ 199.00']),
  }
  const { text, html } = renderMail(receipt, 'pt-PT', values)
  assert.equal(
    text,
    [
      'Comprou:',
      '',
      'Artigo                     Valor',
      'Rye                      € 49.00',
      'Sourdough from scratch  € 149.00',
      '面包                      € 1.00',
      '',
      'Total  € 199.00',
      '',
      'Obrigado, Dev.',
      '',
    ].join('\n'),
  )
  assert.ok(html.includes('<th scope="col" align="left">Artigo</th><th scope="col" align="right">Valor</th>'))
  assert.ok(html.includes('<td align="left" dir="auto">Rye</td><td align="right" dir="auto">€ 49.00</td>'))
  assert.equal(html.match(/<table/g)?.length, 2)
  assert.equal(html.match(/<th /g)?.length, 2, 'a table without headings has no row of them')
})

test('a long cell has several lines of text, and every column begins below its heading', () => {
  const long = 'A very long name of a course that somebody wrote without ever thinking of e-mail'
  const { text } = renderMail(receipt, 'en', { name: 'Dev', lines: buildRows([long, '1'], ['x'.repeat(90), '2']) })
  const lines = text.split('\n')
  assert.ok(
    lines.every(line => line.length <= 60),
    text,
  )
  const amounts = lines.filter(line => /(?:Amount|1|2)$/.test(line))
  assert.equal(amounts.length, 3)
  assert.equal(new Set(amounts.map(line => line.length)).size, 1, 'amounts end at one column')
  const [table = ''] = text.split('\n\n').filter(part => part.startsWith('Item'))
  assert.equal(table.replace(/[^x]/g, '').length, 90, 'nothing of a long word is lost')
  assert.ok(long.split(' ').every(word => table.includes(word)))
})

test('a cell is one line of text, whatever a person wrote in it', () => {
  const lines = buildRows([HOSTILE, `\u202e${HOSTILE}\u0000`])
  const { text, html } = renderMail(receipt, 'en', { name: HOSTILE, lines })
  assert.doesNotMatch(text, /^Bcc/m)
  assert.doesNotMatch(text, /[\u0000\u202e\r]/)
  assert.ok(!html.includes('<a href="//x.example'))
  assert.equal(html.split(ESCAPED).length, 4)
})

test('a table has 200 rows of eight cells of 200 characters at most, and says how many more there are', () => {
  const many = boundedRows(Array.from({ length: 212 }, (_, n) => [`row ${n}`, 'y'.repeat(300), ...'abcdefgh']))
  assert.deepEqual([many.rows.length, many.more, many.rows[0]?.length, many.rows[0]?.[1]?.length], [200, 12, 8, 200])
  for (const [locale, sentence] of [
    ['en', 'and 12 more'],
    ['pt', 'e mais 12'],
  ] as const) {
    const { text, html } = renderMail(receipt, locale, { name: 'Dev', lines: many })
    assert.ok(text.includes(`\n\n${sentence}\n\n`) && html.includes(`<p>${sentence}</p>`))
    assert.ok(text.includes('row 199') && !text.includes('row 200'))
  }
})

test('a table without rows is left out', () => {
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev', lines: buildRows() })
  assert.equal(text, 'You bought:\n\nThank you, Dev.\n')
  assert.doesNotMatch(html, /<table/)
})

test('a mail says which files it could not have', () => {
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev' }, { missingFiles: ['invoice\r\n<1>.pdf'] })
  assert.match(text, /The file “invoice <1>\.pdf” could not be attached/)
  assert.match(html, /“invoice &lt;1&gt;\.pdf”/)
})

test('a kind of mail that a person may turn off says how', () => {
  const mute = { key: 'news', title: { en: 'News', pt: 'Novidades' }, description: 'News' }
  const kindWith = (word: string) => () =>
    mailKinds({ news: { mute, subject: { en: '', pt: '' }, paragraphs: [{ en: word, pt: word }] } })
  assert.throws(kindWith('{school}'), /news does not say how/)
  for (const word of ['{unsubscribe}', '{account}']) assert.equal(kindWith(word)().news.name, 'news')
})

test('the header image and the footer of a school are above and below every mail, as text', () => {
  const frame = {
    header: { src: 'https://rye.example/appearance/images/1280/fil_1"><script>', alt: HOSTILE },
    footer: `Rua do Forno 12\n${HOSTILE}`,
  }
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev' }, { frame })
  assert.ok(text.includes('\n-- \nRua do Forno 12\n'), text)
  assert.match(
    html,
    /<div style="[^"]*font-variant-numeric:lining-nums[^"]*">\n<p><img src="https:\/\/rye\.example\/[^"]*&quot;/,
  )
  assert.match(html, /<hr>\n<p>Rua do Forno 12<br>/)
  assert.ok(!html.includes('<script>'))
  const named = renderMail(receipt, 'en', { name: 'Dev' }, { frame: { name: HOSTILE } })
  assert.match(named.html, /<div style="[^"]*">\n<p style="[^"]*">&lt;a href=/)
  assert.ok(!named.text.includes('x.example'), 'the name is the sender of the text')
})
