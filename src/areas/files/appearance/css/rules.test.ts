import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptedCss, harmlessCss, loadingCss, refusedCss } from '#testing/css-corpus.ts'
import { checkCss, scopedCss } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const ORIGIN = 'https://evil.example'

test('CSS that loads, runs or covers something is refused, in every spelling', async () => {
  for (const css of [...refusedCss, ...loadingCss(ORIGIN)]) assert.ok('errors' in (await checkCss(css)), css)
})

test('CSS that styles the site is stored as the parser writes it, and does not change again', async () => {
  for (const css of [...acceptedCss, ...harmlessCss(ORIGIN)]) {
    const checked = await checkCss(css)
    assert.ok('css' in checked, `${css}: ${JSON.stringify(checked)}`)
    assert.deepEqual(await checkCss(checked.css), checked)
  }
})

test('every selector is below the class of the content, also in nested rules', async () => {
  const checked = await checkCss('h1, .a > b { color: red } @media print { @supports (gap: 1px) { p { gap: 1px } } }')
  assert.ok('css' in checked)
  assert.equal(
    await scopedCss(checked.css),
    '.school-content h1,.school-content .a>b{color:red}@media print{@supports (gap:1px){.school-content p{gap:1px}}}',
  )
})

test('a font of ours is named and gets its files; any other is refused', async () => {
  const checked = await checkCss('@font-face { font-family: "Lora" } p { font-family: "Lora", serif }')
  assert.ok('css' in checked)
  const css = await scopedCss(checked.css)
  assert.match(css, /^@font-face\{font-family:"Lora".*src:url\(\/assets\/fonts\/lora-latin-ext-400\.woff2\)/)
  assert.equal(css.match(/@font-face/g)?.length, 6)
})

test('at most 50 KB, 2,000 rules and 24 levels of brackets', async () => {
  const rules = (count: number) => 'a{top:0}'.repeat(count)
  assert.ok('css' in (await checkCss(rules(2000))))
  assert.ok('errors' in (await checkCss(rules(2001))))
  assert.ok('errors' in (await checkCss(`a{top:0}${' '.repeat(50_000)}`)))
  assert.ok('errors' in (await checkCss(`a{width:${'('.repeat(10_000)}`)))
  for (const [open, close] of [
    ['(")"', ')'],
    ['(/*)*/', ')'],
    ['max(1px,', ')'],
  ] as const)
    for (const levels of [24, 1000, 3000]) {
      const checked = await checkCss(`a{content:${open.repeat(levels)}1px${close.repeat(levels)}}`)
      assert.match(JSON.stringify(checked), /deeper than 24 levels/, `${open} ${levels}`)
    }
})

test('CSS that is too long as it is stored is refused with the reason', async () => {
  const checked = await checkCss(`a{${'top:0;'.repeat(8000)}}`)
  assert.match(JSON.stringify(checked), /as it is stored/)
})

test('an error says on which line it is', async () => {
  const checked = await checkCss('a {\n  color: red;\n  behavior: none;\n}')
  assert.deepEqual(checked, { errors: [{ line: 3, message: 'the property behavior is not allowed' }] })
})

const pieces = [
  ...'{}()[];:,"\'@!#.*>+~ /\\-',
  'url(',
  'a',
  'color',
  'red',
  '--x',
  'var(',
  '@media',
  '@import',
  '/*',
  '*/',
]

test('whatever is accepted stays accepted, unchanged, and never has a backslash, an address or an import', async () => {
  const texts = fc.array(fc.constantFrom(...pieces, ...acceptedCss), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(texts, async parts => {
      const checked = await checkCss(parts.join(''))
      if ('errors' in checked) return
      assert.deepEqual(await checkCss(checked.css), checked)
      const served = await scopedCss(checked.css)
      assert.doesNotMatch(served.replaceAll(/url\(\/assets\/fonts\/[\w-]+\.woff2\)/g, ''), /url\(|@import|\\|fixed/i)
    }),
    { numRuns: 300, seed },
  )
})
