import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { attacks } from '#testing/attacks.ts'
import { isTooDense, MAX_DEPTH, MAX_MARKUP_TOKENS } from './bounds.ts'
import { type ProfileName, profiles } from './profiles.ts'
import { type BodyFormat, buildNotes, currentHtml, renderBody } from './render.ts'
import { filesNamed, withAddresses, withSiteLinks } from './shown.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const FILE = `fil_${'0'.repeat(25)}1`

const NAMES: readonly ProfileName[] = ['lesson', 'post', 'page', 'comment']

const rendered = (profile: ProfileName, body: string, format: BodyFormat): string => {
  const text = renderBody(profile, body, format)
  assert.ok(typeof text !== 'string', String(text))
  return text.body_html
}

const html = (body: string): string => rendered('lesson', body, 'html')
const markdown = (body: string): string => rendered('lesson', body, 'markdown')

const isAllowedLink = (profile: ProfileName, value: string): boolean => {
  if (profile === 'comment') return /^https?:\/\//.test(value)
  if (profile === 'lesson') return /^(?:https?:\/\/|mailto:|tel:|#|fil_)/.test(value)
  return /^(?:https?:\/\/|mailto:|tel:|#section-|fil_|\/(?!\/))/.test(value)
}

const isAllowed = (profile: ProfileName, element: string, attribute: string, value: string): boolean => {
  if (attribute === 'href') return isAllowedLink(profile, value)
  if (attribute === 'src') return /^(?:https:\/\/|fil_)/.test(value)
  if (attribute === 'id') return /^h[1-6]$/.test(element) && /^section-[\p{L}\p{N}-]+$/u.test(value)
  return !/^on|^style$|^srcset$|^name$|^form|^xlink|^data-|^is$|^slot$|^part$|^popover/i.test(attribute)
}

/** Everything in a text that could do more than be read, as a parser that is not ours reads it. */
const dangersIn = (profile: ProfileName, text: string): string[] => {
  const found: string[] = []
  const elements = profiles[profile].allowed.allowedTags || []
  const parser = new Parser({
    onopentag: (element, attributes) => {
      if (!elements.includes(element)) found.push(`<${element}>`)
      for (const [attribute, value] of Object.entries(attributes))
        if (!isAllowed(profile, element, attribute, value)) found.push(`${attribute}=${value}`)
    },
    oncomment: () => found.push('comment'),
    onprocessinginstruction: name => found.push(name),
  })
  parser.end(text)
  return found
}

for (const profile of NAMES)
  test(`${profile}: no script, handler, style, frame, form, name or address of another kind gets through`, () => {
    for (const text of attacks) {
      const texts = [rendered(profile, text, 'html'), rendered(profile, text, 'markdown')]
      for (const shown of [...texts, rendered(profile, `- a\n\n  > ${text}\n`, 'markdown')])
        assert.deepEqual(dangersIn(profile, shown), [], `${text}\n→ ${shown}`)
      assert.ok(!texts[0]?.includes('<script'), text)
    }
    for (const link of [
      'javascript:alert(1)',
      'JAVASCRIPT:1',
      'data:text/html,x',
      'vbscript:x',
      'java\\nscript:1',
      '//x.example',
      '/\\\\x.example',
      '/%5cx.example',
      '&#x6a;avascript:1',
    ]) {
      const text = `[x](${link}) ![x](${link}) [y][z]\n\n[z]: ${link}\n\n<${link}>`
      assert.deepEqual(dangersIn(profile, rendered(profile, text, 'markdown')), [], text)
    }
  })

for (const profile of NAMES)
  test(`${profile}: sanitizing the result again changes nothing, whatever it is made of`, () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 20 })), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(pieces, parts => {
        const text = parts.join('').toWellFormed()
        const once = rendered(profile, text, 'html')
        assert.deepEqual(dangersIn(profile, once), [])
        assert.deepEqual(dangersIn(profile, rendered(profile, text, 'markdown')), [])
        assert.equal(rendered(profile, once, 'html'), once)
        const ids = [...once.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
        assert.equal(new Set(ids).size, ids.length)
      }),
      { seed, numRuns: 60 },
    )
  })

test('what people write comes through: words, lists, tables, code, pictures, links, any script of the world', () => {
  const shown = markdown(
    '# Pão\n\n*fermento* **王小明** `code`\n\n```js\nx < y\n```\n\n1. a\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n' +
      '![Crumb](https://a.example/b.png "Open") [site](https://a.example/?a=1&b=2) <b>no HTML</b>',
  )
  for (const piece of [
    '<h1 id="section-pao">Pão</h1>',
    '<em>fermento</em> <strong>王小明</strong>',
    '<code class="language-js">x &lt; y',
    '<ol>',
    '<td>2</td>',
    'src="https://a.example/b.png"',
    '<a href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer">site</a>',
    '&lt;b&gt;no HTML&lt;/b&gt;',
  ])
    assert.ok(shown.includes(piece), `${piece} in ${shown}`)
  const table = '<table><tr><th scope="col" colspan="2">x</th></tr></table><p dir="rtl" lang="ar">مرحبا</p>'
  assert.equal(html(table), table)
})

test('post and page: headings have ids of their own that links can name, images are lazy, links lead to the site', () => {
  const text = [
    '# Crumb & crust\n\n## Crumb & crust\n\n### 面包\n\n#### *Zoë’s* `rye`\n\n',
    '[down](#zoe-s-rye) [again](#section-crumb-crust-2) [course](/courses/rye?a=1&b=2#x) [up](../x) [out](//x.example)\n\n',
    '![Crumb](https://a.example/b.png)',
  ].join('')
  for (const profile of ['post', 'page'] as const) {
    const shown = rendered(profile, text, 'markdown')
    for (const piece of [
      '<h1 id="section-crumb-crust">Crumb &amp; crust</h1>',
      '<h2 id="section-crumb-crust-2">',
      '<h3 id="section-面包">面包</h3>',
      '<h4 id="section-zoe-s-rye"><em>Zoë’s</em> <code>rye</code></h4>',
      '<a href="#section-zoe-s-rye" rel="noopener noreferrer">down</a>',
      '<a href="#section-crumb-crust-2"',
      '<a href="/courses/rye?a=1&amp;b=2#x"',
      '<a>up</a> <a>out</a>',
      'src="https://a.example/b.png" alt="Crumb" loading="lazy"',
    ])
      assert.ok(shown.includes(piece), `${piece} in ${shown}`)
    const read = withSiteLinks(shown, 'https://bread.example')
    assert.ok(read.includes('<a href="https://bread.example/courses/rye?a=1&amp;b=2#x"'), read)
    assert.equal(read.replace('https://bread.example', ''), shown)
  }
  const eager = rendered(
    'page',
    '<img loading="eager" src="https://a.example/b.png"><p>href="/x" <a href="/y">',
    'html',
  )
  assert.match(eager, /^<img src="https:\/\/a.example\/b.png" loading="lazy" \/>/)
  assert.ok(withSiteLinks(eager, 'https://bread.example').includes('<p>href="/x" <a href="https://bread.example/y"'))
})

test('a path that a browser could take for another host is no path of the site', () => {
  const paths = ['/\\evil.example', '/\t/evil.example', '/\n\\evil.example', '/.//evil.example', '/a/..//evil.example']
  for (const path of [...paths, '/./\\evil.example', '//evil.example', 'evil', './x', '?x', '\\x', ' /x']) {
    const shown = rendered('post', `<a href="${path}">x</a>`, 'html')
    const [, href] = /href="([^"]*)"/.exec(withSiteLinks(shown, 'https://bread.example')) ?? []
    if (href !== undefined) assert.equal(new URL(href).host, 'bread.example', `${path} → ${href}`)
    assert.doesNotMatch(shown, /href="\/\//)
  }
})

test('comment: words, lists, quotes, code and links, with line breaks as written; no headings, images, tables or HTML', () => {
  const text = [
    'one\ntwo *three* **four** ~~five~~ `six`\n\n> seven\n\n1. eight\n\n```js\nnine\n```\n\n',
    '# ten\n\n| a |\n| - |\n| 1 |\n\n![img](https://a.example/b.png) <b>x</b>\n\n',
    `[bread](https://a.example "title") [mail](mailto:a@a.example) [path](/account) [file](${FILE}) [id](#x)`,
  ].join('')
  const shown = rendered('comment', text, 'markdown')
  for (const piece of [
    'one<br />\ntwo <em>three</em> <strong>four</strong> <s>five</s> <code>six</code>',
    '<blockquote>',
    '<ol>',
    '<pre><code>nine',
    '# ten',
    '| 1 |',
    '&lt;b&gt;x&lt;/b&gt;',
    '<a href="https://a.example/" rel="nofollow ugc noopener">bread</a>',
    '<a>mail</a> <a>path</a> <a>file</a> <a>id</a>',
  ])
    assert.ok(shown.includes(piece), `${piece} in ${shown}`)
  for (const element of ['<img', '<h1', '<table', '<b>', 'title=']) assert.ok(!shown.includes(element), element)
  assert.deepEqual(filesNamed(shown), [])
})

test('a file of the school is named by its id and gets its address when it is shown; a forgotten one gets none', () => {
  const shown = markdown(`![Crumb](${FILE}) [notes](${FILE}) \`src="${FILE}"\` a href="${FILE}"`)
  assert.deepEqual(filesNamed(shown), [FILE])
  const addressed = withAddresses(shown, id => (id === FILE ? 'https://s.example/files/x?a=1&b="' : undefined))
  assert.ok(addressed.includes('<img src="https://s.example/files/x?a=1&amp;b=&quot;"'), addressed)
  assert.ok(withAddresses(shown, () => undefined).includes('<a href="#"'))
  assert.deepEqual(dangersIn('lesson', addressed), [])
})

test('decision 49: a text that was cleaned by an older allow-list is cleaned again when it is read', () => {
  const { version } = profiles.lesson
  const old = { body: '<p>a<script>x</script></p>', body_format: 'html', body_html: '<script>x</script>' } as const
  assert.equal(currentHtml('lesson', { ...old, body_allowed: version - 1 }), '<p>a</p>')
  assert.equal(currentHtml('lesson', { ...old, body_allowed: version, body_html: '<p>kept</p>' }), '<p>kept</p>')
})

test('H-12 marks are counted before a text is read, and elements while it is', () => {
  const isRefused = (text: string, format: BodyFormat) => renderBody('lesson', text, format) === 'too_complex'
  for (const mark of ['[', ']', '*', '_', '~', '`', '|', '<', '>', '&', '!'])
    assert.ok(isTooDense(`${mark}a`.repeat(MAX_MARKUP_TOKENS + 1)), mark)
  assert.deepEqual(
    [isTooDense('a!'.repeat(MAX_MARKUP_TOKENS)), isTooDense('a!'.repeat(MAX_MARKUP_TOKENS + 1))],
    [false, true],
  )
  assert.deepEqual(
    [isTooDense('a\n'.repeat(MAX_MARKUP_TOKENS / 3)), isTooDense('a\n'.repeat(MAX_MARKUP_TOKENS / 3 + 1))],
    [false, true],
  )
  assert.ok(isRefused('*'.repeat(MAX_MARKUP_TOKENS + 1), 'markdown'))
  assert.deepEqual(
    [isRefused('<b>'.repeat(MAX_DEPTH), 'html'), isRefused('<b>'.repeat(MAX_DEPTH + 1), 'html')],
    [false, true],
  )
  const open = ['<b></x>', '<p><li>', '<b-></b>', '<b><script></b></script>', '<b><!--</b>-->', '<b title="</b>">']
  for (const piece of open) assert.ok(isRefused(piece.repeat(MAX_DEPTH + 1), 'html'), piece)
})

test('H-12 a long text without anything unusual is within the bounds, with and without end tags', () => {
  const prose =
    'The *quick* brown [fox](https://a.example) jumps over the `lazy` dog, and then it rests for a while.\n\n'
  assert.ok(!isTooDense(prose.repeat(1900)))
  for (const piece of [
    '<p>a',
    '<li>a <b>b</b>',
    '<tr><td>a<td>b',
    '<dt>a<dd>b',
    '<br>',
    '<p>a</p>',
    '<img src="x">',
    '</b>',
  ])
    assert.notEqual(renderBody('lesson', `<table><ul>${piece.repeat(1000)}`, 'html'), 'too_complex', piece)
})

for (const profile of NAMES)
  test(`H-12 ${profile}: texts made to take long are shown or refused in bounded time, and none becomes huge`, () => {
    const full = (piece: string): string => piece.repeat(Math.ceil(200_000 / piece.length)).slice(0, 200_000)
    const texts: [string, 'markdown' | 'html'][] = [
      ...['![', '<![CDATA['].map(piece => [full(piece), 'markdown'] as [string, 'markdown']),
      [`${'>'.repeat(50_000)}a\n${'b\n'.repeat(70_000)}`, 'markdown'],
      [`[a]: <https://a.example/${'u'.repeat(90_000)}>\n\n${'[a]'.repeat(30_000)}`, 'markdown'],
      [`|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n${'|a\n'.repeat(60_000)}`.slice(0, 200_000), 'markdown'],
      ...['<b>', '<svg><style>', '<a href="', '<h1>a</h1>', '<h1><h2>', '<h1>'.padEnd(600, 'a ')].map(
        piece => [full(piece), 'html'] as [string, 'html'],
      ),
    ]
    for (const [text, format] of texts) {
      // Its own time: a busy machine makes a clock run on meanwhile.
      const start = process.threadCpuUsage()
      const made = renderBody(profile, text, format)
      const { user, system } = process.threadCpuUsage(start)
      assert.ok(user + system < 5_000_000, `${format} ${text.slice(0, 20)}`)
      if (typeof made !== 'string') assert.ok(made.body_html.length <= 1_000_000)
    }
  })

test('columns keep their alignment, and fragments lead to headings by the rule that makes their ids', () => {
  const source = '## T\u00edtulo\n\n[up](#t\u00edtulo) [no](#nothing)\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |'
  for (const profile of ['lesson', 'post', 'page'] as const) {
    const body = renderBody(profile, source, 'markdown')
    assert.ok(typeof body !== 'string')
    for (const part of [
      '<h2 id="section-titulo">',
      'href="#section-titulo"',
      'class="align-center"',
      'class="align-right"',
    ])
      assert.ok(body.body_html.includes(part), `${part} is in ${body.body_html}`)
    assert.deepEqual(buildNotes(profile, [body]), { removed: [], deadFragments: ['nothing'] })
    const again = renderBody(profile, body.body_html, 'html')
    assert.ok(typeof again !== 'string')
    assert.equal(again.body_html, body.body_html, 'sanitizing again changes nothing')
  }
})
