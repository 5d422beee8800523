import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted } from './formats.ts'

test('counts are in words', () => {
  const lessons = { one: { en: '{n} lesson', pt: '{n} aula' }, other: { en: '{n} lessons', pt: '{n} aulas' } }
  assert.deepEqual(
    [0, 1, 2, 1200].map(n => counted(lessons, n, 'en')),
    ['0 lessons', '1 lesson', '2 lessons', '1,200 lessons'],
  )
  assert.equal(counted(lessons, 1, 'pt'), '1 aula')
})
