import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Printer } from '#src/contract/print.ts'
import { computeLevels, inPlace } from './bidi.ts'
import { findFont } from './fonts.ts'
import { createPrinter } from './index.ts'

const onPaper = (line: string, isRtl: boolean): string =>
  inPlace(computeLevels(line, isRtl))
    .map(({ text }) => text)
    .join('')

test('UAX #9 right-to-left letters, numbers and the characters between them are in the right order', () => {
  // Written with capitals for letters that run to the left.
  const hebrew = (text: string): string =>
    text.replace(/[A-Z]/g, letter => String.fromCodePoint(0x5d0 + letter.charCodeAt(0) - 65))
  const cases: readonly (readonly [read: string, isRtl: boolean, seen: string])[] = [
    ['abc', false, 'abc'],
    ['ABC', true, 'CBA'],
    ['AB CD', true, 'DC BA'],
    ['AB 12 C', true, 'C 12 BA'],
    ['AB (12)', true, '(12) BA'],
    ['he said AB CD to', false, 'he said DC BA to'],
    ['AB said x CD', true, 'DC said x BA'],
    ['no 3 AB names', false, 'no 3 BA names'],
    ['AB 12:30, 3.5 C', true, 'C 3.5 ,12:30 BA'],
    ['AB 50% C', true, 'C 50% BA'],
    ['he said (AB CD)', false, 'he said (DC BA)'],
    ['he said AB (CD)', false, 'he said (DC) BA'],
  ]
  for (const [read, isRtl, expected] of cases) assert.equal(onPaper(hebrew(read), isRtl), hebrew(expected), read)
})

test('a character is set in a font that has it with all its marks, of the language’s own where there is one', () => {
  const findPackage = (character: string, locale = 'en') => findFont(character, 400, locale)?.split('/').at(-1)
  assert.equal(findPackage('Z'), 'noto-sans-latin-400-normal.woff')
  assert.equal(findPackage('Ł'), 'noto-sans-latin-ext-400-normal.woff')
  assert.match(findPackage('ع') ?? '', /^noto-sans-arabic-/)
  assert.match(findPackage('王') ?? '', /^noto-sans-sc-\d+-400-normal\.woff$/)
  assert.match(findPackage('김') ?? '', /^noto-sans-kr-\d+-400-normal\.woff$/)
  assert.match(findPackage('王', 'ko') ?? '', /^noto-sans-kr-/)
  assert.equal(findPackage('\u{1f98a}'), undefined)
  assert.equal(findPackage('a\u20e3'), undefined, 'a letter with a mark that its font does not have')
})

suite('a flood of sheets', () => {
  // Long enough that a slow machine does not decide who waits and what is printed.
  const limits = { waiting: 3, waitMs: 60_000, printMs: 60_000, cacheBytes: 1_000_000 }
  let printer: Printer | undefined
  after(() => printer?.stop())
  const sheet = (text: string) => async () => ({
    title: text,
    locale: 'en',
    createdAt: new Date(0),
    pageSize: 'A4' as const,
    orientation: 'landscape' as const,
    background: '#ffffff',
    accent: '#000000',
    body: [{ text, size: 20, color: '#000000' }],
    foot: [],
  })

  test('one document is printed, a few wait, the others are asked to retry; the same document is printed once', async () => {
    printer = createPrinter(limits)
    const { print } = printer
    let count = 0
    const same = () =>
      print('same', () => {
        count++
        return sheet('same')()
      })
    const sames = await Promise.all(Array.from({ length: 50 }, same))
    assert.equal(count, 1)
    assert.equal(new Set(sames).size, 1)
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => print(`n${n}`, sheet(`Number ${n}`))))
    const refused = results.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(results.length - refused.length, 1 + limits.waiting)
    for (const { problem, extras } of refused)
      assert.deepEqual([problem.code, extras.headers['retry-after']], ['unavailable', '5'])
    assert.ok('pdf' in (await print('after', sheet('after'))), 'it goes on when the flood is over')
    assert.equal(await same(), sames[0], 'what was printed is kept')
  })

  test('a sheet that takes too long ends with its thread, and the next one is printed', async () => {
    const hasty = createPrinter({ ...limits, printMs: 1 })
    await assert.rejects(hasty.print('slow', sheet('slow')), /too long|too much/i)
    await hasty.stop()
    const patient = createPrinter(limits)
    await assert.rejects(
      patient.print('bad', () => Promise.reject(new Error('no sheet'))),
      /no sheet/,
    )
    assert.ok('pdf' in (await patient.print('good', sheet('good'))))
    await patient.stop()
  })
})
