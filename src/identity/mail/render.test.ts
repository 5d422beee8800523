import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultStyle } from '#src/contract/look.ts'
import { listNames, type MailKind, mailKinds, smallPrint } from '#src/contract/mail.ts'
import { renderMail } from './render.ts'
import { boundedRows } from './rows.ts'
import { mails } from './text.ts'

const kinds: readonly MailKind[] = Object.values(mails)
const HOSTILE = `<a href="//x.example">'&\r\nBcc: x@y.example`
const ESCAPED = '&lt;a href=&quot;//x.example&quot;&gt;&#39;&amp; Bcc: x@y.example'

const buildValues = (kind: MailKind, value: string) => Object.fromEntries(listNames(kind).map(name => [name, value]))

for (const kind of kinds)
  test(`the mail ${kind.name} takes every value as one line of text, in its subject, its text and its HTML`, () => {
    for (const locale of ['en', 'pt']) {
      const { subject, text, html } = renderMail(kind, locale, buildValues(kind, HOSTILE))
      assert.doesNotMatch(subject, /[\r\n]/)
      assert.ok(!html.includes('<a href="//x.example'), html)
      assert.doesNotMatch(text, /^Bcc/m)
      if (listNames(kind).length > 0) assert.ok(html.includes(ESCAPED), html)
      assert.ok(html.includes(`<html lang="${locale}">`))
      assert.ok(!/\{\w+\}/.test(subject + text), 'every value is filled in')
    }
  })

test('a mail has one heading, a code in two groups of digits, and one button whose address the text has on its own line', () => {
  const [link, account] = ['https://s.example/l', 'https://s.example/a']
  for (const kind of kinds) {
    const values = { ...buildValues(kind, 'w'), code: '123456', link, account }
    const { subject, html, text } = renderMail(kind, 'en', values)
    const names = listNames(kind)
    assert.equal(html.match(/<h1 /g)?.length, 1, kind.name)
    assert.equal(html.match(/>123 456<\/p>/g)?.length ?? 0, names.includes('code') ? 1 : 0, kind.name)
    assert.equal(/^123456$/m.test(text), names.includes('code'), kind.name)
    if (kind.subject.en.includes('{code}')) assert.ok(subject.includes('123 456'), subject)
    const buttons = [...html.matchAll(/<a class="fill" href="([^"]+)"[^>]*>([^<]+)</g)]
    assert.equal(buttons.length, names.includes('link') || names.includes('account') ? 1 : 0, kind.name)
    for (const [, address, label] of buttons) assert.ok(text.includes(`\n\n${label}:\n${address}\n`), text)
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
  }
  assert.ok(kinds.some(kind => kind.subject.en.includes('{code}')))
})

test('the heading is the subject, unless a kind has one of its own, which the text begins with', () => {
  const base = { subject: { en: 'Your course' }, paragraphs: [{ en: 'It is open.' }] }
  const { same, own } = mailKinds({ same: base, own: { ...base, heading: { en: 'Thank you, {name}' } } })
  const [first, second] = [same, own].map(kind => renderMail(kind, 'en', { name: 'Dev' }))
  assert.equal(first?.text, 'It is open.\n')
  assert.match(first?.html ?? '', /<h1 [^>]*>Your course</)
  assert.equal(second?.text, 'Thank you, Dev\n\nIt is open.\n')
  assert.match(second?.html ?? '', /<h1 [^>]*>Thank you, Dev</)
})

test('a value has 1,000 characters at most', () => {
  const kind = kinds.find(one => listNames(one).length > 0)
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
  assert.match(
    html,
    /<th scope="col"[^>]*text-align:start[^>]*>Artigo<\/th><th scope="col"[^>]*text-align:end[^>]*>Valor</,
  )
  assert.match(html, /<td [^>]*text-align:start" dir="auto">Rye<\/td><td [^>]*text-align:end" dir="auto">€ 49\.00</)
  assert.equal(html.match(/<table style/g)?.length, 2)
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
    assert.ok(text.includes(`\n\n${sentence}\n\n`) && html.includes(`>${sentence}</p>`))
    assert.ok(text.includes('row 199') && !text.includes('row 200'))
  }
})

test('a table without rows is left out', () => {
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev', lines: buildRows() })
  assert.equal(text, 'You bought:\n\nThank you, Dev.\n')
  assert.doesNotMatch(html, /<table style/)
})

test('a mail says which files it could not have', () => {
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev' }, { missingFiles: ['invoice\r\n<1>.pdf'] })
  assert.match(text, /The file “invoice <1>\.pdf” could not be attached/)
  assert.match(html, /“invoice &lt;1&gt;\.pdf”/)
})

test('the sums of a table are below its rows, the total first', () => {
  const table = { rows: 'lines', columns: [{}, { align: 'end' as const }], sums: 'sums' }
  const { sold } = mailKinds({ sold: { subject: { en: 'Sold' }, paragraphs: [table] } })
  const values = {
    lines: buildRows(['Rye', '€49.00']),
    sums: buildRows(['Total', '€49.00'], ['of which tax', '€9.16']),
  }
  const { text, html } = renderMail(sold, 'en', values)
  assert.equal(text, 'Rye           €49.00\nTotal         €49.00\nof which tax   €9.16\n')
  assert.match(html, /font-weight:600[^>]*>Total</)
  assert.doesNotMatch(html, /font-weight:600[^>]*>(?:Rye|of which)/)
})

test('a table of one column is read as lines of text', () => {
  const { notes } = mailKinds({ notes: { subject: { en: 'Notes' }, paragraphs: [{ rows: 'notes', columns: [{}] }] } })
  const long = 'a line that is longer than forty letters and is not broken'
  const { text, html } = renderMail(notes, 'en', { notes: buildRows([long], ['<b>']) })
  assert.equal(text, `${long}\n<b>\n`)
  assert.ok(html.includes(`dir="auto">${long}<br>&lt;b&gt;</p>`))
})

test('a kind of mail has one button at most', () => {
  const paragraphs = [
    { button: { en: 'One' }, to: { en: '{link}' } },
    { button: { en: 'Two' }, to: { en: '{link}' } },
  ]
  const twice = () => mailKinds({ twice: { subject: { en: '' }, paragraphs } })
  assert.throws(twice, /twice has more than one button/)
})

test('a mail that a person may turn off says how, and small print is small', () => {
  const mute = { key: 'news', title: { en: 'News', pt: 'Novidades' }, description: 'News' }
  const paragraphs = [smallPrint({ en: 'Small', pt: 'Pequeno' })]
  const { news } = mailKinds({ news: { mute, subject: { en: '', pt: '' }, paragraphs } })
  const [on, off] = [{ unsubscribe: 'https://s.example/u' }, {}].map(values => renderMail(news, 'pt', values))
  assert.match(on?.text ?? '', /^Pequeno\n\nRecebe esta mensagem .*Novidades\.\n.*:\nhttps:\/\/s\.example\/u\n$/)
  assert.match(on?.html ?? '', /font-size:14px">Pequeno<[\s\S]*<a class="link" href="https:\/\/s\.example\/u"/)
  assert.equal(off?.text, 'Pequeno\n')
  assert.doesNotMatch(off?.html ?? '', /<a /)
})

const HEADER = 'https://rye.example/appearance/images/1280/fil_1"><script>'

test('the header image and the footer of a school are above and below every mail, as text', () => {
  const frame = { name: HOSTILE, header: HEADER, footer: `Rua do Forno 12\n${HOSTILE}` }
  const { text, html } = renderMail(receipt, 'en', { name: 'Dev' }, { frame })
  assert.ok(text.includes('\n-- \nRua do Forno 12\n'), text)
  assert.match(
    html,
    /font-variant-numeric:lining-nums[\s\S]*<img src="https:\/\/rye\.example\/[^"]*&quot;[^>]*width="560"/,
  )
  assert.match(html, /<p class="quiet" [^>]*>Rua do Forno 12<br>/)
  assert.ok(!html.includes('<script>'))
  const named = renderMail(receipt, 'en', { name: 'Dev' }, { frame: { name: HOSTILE } })
  assert.match(named.html, /<strong [^>]*>&lt;a href=/)
  assert.ok(!named.text.includes('x.example'), 'the name is the sender of the text')
})

test('a school has its logo, in the dark scheme another one, and beside a mark its name', () => {
  const frame = { name: 'Crumb & Crust', logo: 'https://rye.example/l', logoDark: 'https://rye.example/d' }
  const render = (more: object) => renderMail(receipt, 'en', { name: 'Dev' }, { frame: { ...frame, ...more } }).html
  assert.match(render({}), /<source srcset="https:\/\/rye\.example\/d" media="\(prefers-color-scheme: dark\)">/)
  assert.match(
    render({}),
    /<img src="https:\/\/rye\.example\/l" alt=""[^>]*><\/picture> <strong[^>]*>Crumb &amp; Crust</,
  )
  const wordmark = render({ isWordmark: true, logoDark: undefined })
  assert.match(wordmark, /alt="Crumb &amp; Crust"[^>]*><\/picture><\/p>/)
  assert.doesNotMatch(wordmark, /<source/)
  assert.match(render({ logo: undefined }), /aria-hidden="true">CC<\/span> <strong/)
})

test('colors and corners are those of the school, in both schemes', () => {
  const scheme = (accent: string) => ({ ...defaultStyle.colors.light, accent })
  const style = { colors: { light: scheme('#112233'), dark: scheme('#ddeeff') }, radius: 'square' as const }
  const { html } = renderMail(mails.sign_in_code, 'en', { code: '123456' }, { frame: { style } })
  assert.match(html, /<a class="fill"[^>]*border-radius:0;background:#112233/)
  assert.match(html, /@media\(prefers-color-scheme:dark\)\{.*\.fill\{background:#ddeeff!important/)
  const plain = renderMail(mails.sign_in_code, 'en', { code: '123456' }).html
  assert.ok(plain.includes(`background:${defaultStyle.colors.light.accent}`))
})

test('only where somebody reads replies a mail asks for them', () => {
  const render = (takesReplies: boolean) => renderMail(receipt, 'en', { name: 'Dev' }, { frame: { takesReplies } })
  for (const part of ['text', 'html'] as const) {
    assert.match(render(true)[part], /Reply to this e-mail/)
    assert.doesNotMatch(render(false)[part], /Reply to this e-mail/)
  }
})
