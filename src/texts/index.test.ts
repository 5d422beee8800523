import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#src/kit/locale.ts'
import { fill, fillEach, inEach, type Phrase, texts } from './index.ts'

test('a text has a sentence in every language', () => {
  const phrase = texts.staff.coupons.coupon.status
  assert.deepEqual(Object.keys(phrase), languages)
  assert.equal(fill(phrase, 'en'), 'Status')
  assert.equal(fill(phrase, 'pt'), 'Estado')
})

test('a link has the sentences of the key that it leads to', () => {
  assert.deepEqual(texts.staff.coupons.acts.delete.button, texts.words.delete)
  assert.equal(texts.words.delete.en, 'Delete')
})

test('fill replaces names, and leaves nothing of a name without a value', () => {
  const phrase = texts.staff.coupons.coupon.usesOf
  assert.equal(fill(phrase, 'en', { n: 3, most: 1000 }), '3 of 1000')
  assert.equal(fill(phrase, 'pt', { n: 3 }), '3 de ')
})

test('fill chooses the plural of the language, and writes the number as it is given', () => {
  const phrase = texts.staff.groups.common.members
  assert.deepEqual(
    [0, 1, 2, 1200].map(n => fill(phrase, 'en', { n })),
    ['0 members', '1 member', '2 members', '1200 members'],
  )
  assert.deepEqual(
    [0, 1, 1200].map(n => fill(phrase, 'pt', { n })),
    ['0 membros', '1 membro', '1200 membros'],
  )
})

test('a number sign is the number as the language writes it', () => {
  const phrase = texts.site.common.course.lessonCount
  assert.deepEqual(
    [0, 1, 2, 1200].map(n => fill(phrase, 'en', { n })),
    ['0 lessons', '1 lesson', '2 lessons', '1,200 lessons'],
  )
  assert.equal(fill(phrase, 'pt', { n: 1 }), '1 aula')
})

test('a phrase is filled in every language, also by phrases', () => {
  const { roleEffect, roleNames } = texts.school.staff.rules
  const filled = fillEach(roleEffect, { name: 'Ada', from: roleNames.admin, to: roleNames.member })
  assert.equal(fill(filled, 'en'), 'Ada becomes a plain member, and is no longer an admin.')
  assert.equal(fill(filled, 'pt'), 'Ada passa a ser simples membro e deixa de ser administrador(a).')
})

test('a phrase that was stored before a language existed is in English', () => {
  const stored: Phrase = JSON.parse('{"en":"Nobody gets {what}."}')
  assert.equal(fill(stored, 'pt', { what: 'a mail' }), 'Nobody gets a mail.')
})

test('fill reads no choice in a phrase that is not of a catalogue', () => {
  const typed = inEach(() => 'A school called {n, plural, other {a lot}} and {unclosed')
  assert.equal(fill(typed, 'en', { n: 1 }), 'A school called {n, plural, other {a lot}} and {unclosed')
})
