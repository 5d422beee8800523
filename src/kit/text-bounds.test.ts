import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cleanLine, fold, foldEmail, forLog, isEmail, isStorable, toSlug } from './text.ts'

suite('an e-mail address', () => {
  const domain = (length: number): string => `${'d'.repeat(length - 3)}.pt`

  test('has 254 characters at most, of which 64 before the @', () => {
    assert.equal(isEmail(`a@${domain(252)}`), true)
    assert.equal(isEmail(`a@${domain(253)}`), false)
    assert.equal(isEmail(`${'a'.repeat(64)}@b.pt`), true)
    assert.equal(isEmail(`${'a'.repeat(65)}@b.pt`), false)
  })

  test('has none of the characters that would be read as something else', () => {
    for (const one of '<>(),;:\\"[]')
      for (const text of [`a${one}b@crumb.example`, `a@cr${one}umb.example`]) assert.equal(isEmail(text), false, text)
  })

  test('has one @ with something before it, and dots only between words', () => {
    for (const text of ["o'neil+x@a.b", 'a.b.c@d-e.f', 'é@ü.pt', 'a-@b.c', '-@b.c'])
      assert.equal(isEmail(text), true, text)
    for (const text of ['@b.c', 'a@b', 'a', 'a@b@c.d', '.a@b.c', 'a.@b.c', 'a..b@c.d', 'a@.c', 'a@b.', 'a@b..c'])
      assert.equal(isEmail(text), false, text)
    for (const text of ['a@-b.c', 'a@b-.c', 'a@b.-c', 'a@b.c-', 'a@', '@', '']) assert.equal(isEmail(text), false, text)
  })

  test('is compared without case and however it is composed', () => {
    assert.equal(foldEmail('A\u0301DA@Crumb.Example'), 'áda@crumb.example')
  })
})

test('text without marks and case has plain letters for those that nothing takes apart', () => {
  assert.equal(fold('Zoë'), 'zoe')
  assert.equal(fold('ØŁĐÐĦIÆŒÞ'), 'olddhiaeoeth')
  assert.equal(fold('øłđðħıæœþ'), 'olddhiaeoeth')
  assert.equal(fold('Straße ﬁ Ⅳ'), 'strasse fi iv')
  assert.deepEqual(['ΣΊΣΥΦΟΣ', 'σισυφοσ'].map(fold), Array(2).fill(fold('Σίσυφος')))
  assert.equal(fold('A\u0301B\u0301'), 'ab')
})

test('a slug is words of Latin letters and digits joined by hyphens, of 60 characters at most', () => {
  assert.equal(toSlug("  Søren's Rye, 2nd -- edition! "), 'soren-s-rye-2nd-edition')
  assert.equal(toSlug('パン'), '')
  assert.equal(toSlug('a'.repeat(61)), 'a'.repeat(60))
  assert.equal(toSlug(`${'a'.repeat(59)} bc`), 'a'.repeat(59), 'it does not end in a hyphen')
  assert.equal(toSlug(`a-b ${'c'.repeat(70)}`), `a-b-${'c'.repeat(56)}`)
})

test('a line is NFC with single spaces, and has as many characters as it may', () => {
  assert.equal(cleanLine(' e\u0301  \u00e9 \ud800 ', 64), 'é é \ufffd')
  assert.equal(cleanLine('abcd', 4), 'abcd')
  assert.equal(cleanLine('abcde', 4), 'abcd')
  assert.equal(forLog(`a\nb${'c'.repeat(300)}`), `a b${'c'.repeat(197)}`)
})

test('PostgreSQL keeps all text but NUL and lone surrogates', () => {
  assert.deepEqual(['', 'a\tb😀', 'a\u0000', '\udc00a'].map(isStorable), [true, true, false, false])
})
