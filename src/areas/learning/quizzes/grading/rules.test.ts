import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { AnswerKey, QuestionContent } from '../questions/rules.ts'
import { type AnswerContent, computePercentage, computePoints, isPassed, isWithin, sumOfPoints } from './rules.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const NOTHING: AnswerContent = { chosen: [], text_answer: null, number_answer: null }
const NO_KEY: AnswerKey = { correct: [], accepted_answers: [], value: null, tolerance: null, explanation: '' }

const asking = (kind: QuestionContent['kind'], points: number, choices: readonly string[] = []): QuestionContent => ({
  kind,
  points,
  grading: 'automatic',
  prompt: '?',
  choices: choices.map(id => ({ id, text: id })),
})

const CHOICES = ['a', 'b', 'c', 'd', 'e', 'f']
const pickSome = (from: readonly string[], minLength = 0) => fc.subarray([...from], { minLength })
const decimal = fc
  .tuple(fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n }), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => {
    const sign = digits < 0n ? '-' : ''
    const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
    return places === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
  })

suite('what an answer is worth', () => {
  test('multiple choices: exactly the right ones give full points, and the result is never negative', () => {
    fc.assert(
      fc.property(
        pickSome(CHOICES, 1),
        pickSome(CHOICES),
        fc.integer({ min: 0, max: 1000 }),
        (correct, chosen, points) => {
          const mark = computePoints(
            asking('multiple', points, CHOICES),
            { ...NO_KEY, correct },
            { ...NOTHING, chosen },
          )
          assert.ok(mark !== undefined && mark >= 0 && mark <= points)
          const isAll = correct.length === chosen.length && correct.every(id => chosen.includes(id))
          if (points > 0) assert.equal(mark === points, isAll)
        },
      ),
      { seed },
    )
  })

  test('multiple choices: another wrong one never adds points, another right one never takes points', () => {
    fc.assert(
      fc.property(pickSome(CHOICES, 1), pickSome(CHOICES), fc.constantFrom(...CHOICES), (correct, chosen, more) => {
        fc.pre(!chosen.includes(more) && chosen.length > 0)
        const mark = (list: readonly string[]) =>
          computePoints(asking('multiple', 7, CHOICES), { ...NO_KEY, correct }, { ...NOTHING, chosen: list }) ??
          Number.NaN
        const [before, after] = [mark(chosen), mark([...chosen, more])]
        assert.ok(correct.includes(more) ? after >= before : after <= before)
      }),
      { seed },
    )
  })

  const partial: [right: number, chosen: readonly string[], points: number, worth: number][] = [
    [2, ['a'], 2, 1],
    [3, ['a'], 1, 0.33],
    [3, ['a', 'b'], 1, 0.66],
    [3, ['a', 'b', 'f'], 1, 0.33],
    [3, ['a', 'f'], 1, 0],
    [1, [...CHOICES], 5, 0],
    [4, ['a', 'b', 'c', 'd', 'e'], 10, 7.5],
  ]
  for (const [right, chosen, points, worth] of partial)
    test(`${chosen.join('')} where ${right} are right of ${points}: ${worth}`, () => {
      const key = { ...NO_KEY, correct: CHOICES.slice(0, right) }
      assert.equal(computePoints(asking('multiple', points, CHOICES), key, { ...NOTHING, chosen }), worth)
    })

  test('one choice, words and numbers are right or wrong', () => {
    const single = (chosen: readonly string[]) =>
      computePoints(asking('single', 3, CHOICES), { ...NO_KEY, correct: ['b'] }, { ...NOTHING, chosen })
    assert.deepEqual([single(['b']), single(['a']), single([])], [3, 0, 0])
    const words = (text_answer: string) =>
      computePoints(
        asking('text', 2),
        { ...NO_KEY, accepted_answers: ['Zoë  Sørensen', 'levain'] },
        { ...NOTHING, text_answer },
      )
    assert.deepEqual(
      ['zoe sorensen', '  ZOE \n SORENSEN ', 'Levain', 'leva in', '', '   '].map(words),
      [2, 2, 2, 0, 0, 0],
    )
    const number = (number_answer: string) =>
      computePoints(asking('number', 4), { ...NO_KEY, value: '0.3', tolerance: '0.1' }, { ...NOTHING, number_answer })
    assert.deepEqual(['0.2', '0.4', '0.30', '0.1999999999', '0.41', '-0.3'].map(number), [4, 4, 4, 0, 0, 0])
  })

  test('what is graded by hand waits, unless nothing was answered', () => {
    const question: QuestionContent = { ...asking('text', 5), grading: 'manual' }
    assert.equal(computePoints(question, NO_KEY, { ...NOTHING, text_answer: 'words' }), undefined)
    assert.equal(computePoints(question, NO_KEY, { ...NOTHING, text_answer: ' \n' }), 0)
  })

  test('decimals are compared as they are written, beyond what a double holds', () => {
    assert.ok(isWithin('9007199254740993', '9007199254740993.0', '0'))
    assert.ok(!isWithin('9007199254740993', '9007199254740992', '0'))
    assert.ok(isWithin('0.3', '0.1', '0.2'))
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        assert.ok(isWithin(one, one, '0'))
        assert.equal(isWithin(one, other, '0'), isWithin(other, one, '0'))
      }),
      { seed },
    )
  })
})

suite('what an attempt comes to', () => {
  const hundredths = fc.integer({ min: 0, max: 100_000 }).map(n => n / 100)

  test('points add up to the hundredth', () => {
    assert.equal(sumOfPoints([0.1, 0.2]), 0.3)
    fc.assert(
      fc.property(fc.array(hundredths, { maxLength: 200 }), points => {
        const whole = points.reduce((sum, one) => sum + BigInt(Math.round(one * 100)), 0n)
        assert.equal(BigInt(Math.round(sumOfPoints(points) * 100)), whole)
      }),
      { seed },
    )
  })

  test('a percentage is rounded down, so rounding never makes an attempt pass', () => {
    assert.deepEqual(
      [
        computePercentage(2, 3),
        computePercentage(1, 3),
        computePercentage(3, 3),
        computePercentage(0, 3),
        computePercentage(0, 0),
      ],
      [66.66, 33.33, 100, 0, 100],
    )
    assert.ok(!isPassed(computePercentage(69.99, 100), 70))
    assert.ok(isPassed(computePercentage(70, 100), 70))
    fc.assert(
      fc.property(
        hundredths,
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 100 }),
        (got, of, threshold) => {
          fc.pre(got <= of)
          const reaches = Math.round(got * 100) * 100 >= threshold * of * 100
          assert.equal(isPassed(computePercentage(got, of), threshold), reaches)
        },
      ),
      { seed },
    )
  })
})
