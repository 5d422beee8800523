import { type AnswerKey, type AskedQuestion, foldAnswer } from '../questions/rules.ts'

/** What somebody answered to one question; empty when nothing. */
export type AnswerContent = {
  readonly chosen: readonly string[]
  readonly text_answer: string | null
  readonly number_answer: string | null
}

/** Whether anything was answered. */
export const isAnswered = ({ chosen, text_answer: text, number_answer: number }: AnswerContent): boolean =>
  chosen.length > 0 || (text !== null && text.trim() !== '') || number !== null

// Both to the same power of ten, as whole numbers: decimals are compared as they are written.
const scaled = (decimals: readonly string[]): bigint[] => {
  const places = Math.max(...decimals.map(text => text.split('.')[1]?.length ?? 0))
  return decimals.map(text => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(`${whole}${fraction.padEnd(places, '0')}`)
  })
}

/** Whether a number is no farther from a value than a tolerance allows, exactly. */
export const isWithin = (answer: string, value: string, tolerance: string): boolean => {
  const [given = 0n, right = 0n, allowed = 0n] = scaled([answer, value, tolerance])
  const distance = given > right ? given - right : right - given
  return distance <= allowed
}

// In hundredths of a point, rounded down, so that half of an answer is never worth more than half.
const shareOf = (points: number, right: number, of: number): number => Math.floor((points * 100 * right) / of) / 100

const ofMultiple = ({ points }: AskedQuestion, { correct }: AnswerKey, chosen: readonly string[]): number => {
  const right = chosen.filter(id => correct.includes(id)).length
  return shareOf(points, Math.max(0, right - (chosen.length - right)), correct.length)
}

const isRight = ({ kind }: AskedQuestion, key: AnswerKey, answered: AnswerContent): boolean => {
  if (kind === 'single') return answered.chosen.length === 1 && key.correct.includes(answered.chosen[0] ?? '')
  if (kind === 'number')
    return answered.number_answer !== null && isWithin(answered.number_answer, key.value ?? '', key.tolerance ?? '0')
  const given = foldAnswer(answered.text_answer ?? '')
  return key.accepted_answers.some(text => foldAnswer(text) === given)
}

/**
 * What an answer is worth; undefined where a lecturer has to say. Of several choices each right one counts its share and
 * each wrong one takes a share away, never below nothing. What was not answered is worth nothing.
 */
export const pointsOf = (asked: AskedQuestion, key: AnswerKey, answered: AnswerContent): number | undefined => {
  if (!isAnswered(answered)) return 0
  if (asked.grading === 'manual') return undefined
  if (asked.kind === 'multiple') return ofMultiple(asked, key, answered.chosen)
  return isRight(asked, key, answered) ? asked.points : 0
}

/** Points together, in hundredths and back, so that nothing is lost in adding. */
export const sumOfPoints = (points: readonly number[]): number =>
  points.reduce((sum, one) => sum + Math.round(one * 100), 0) / 100

/** How many percent of what was possible were reached, rounded down to hundredths; all of nothing is 100. */
export const percentageOf = (points: number, possible: number): number =>
  possible === 0 ? 100 : Math.floor((Math.round(points * 100) * 100) / possible) / 100

/** Whether a number has at most two decimals. */
export const isHundredths = (value: number): boolean => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6

/** Whether a percentage reaches what is asked for; both have two decimals. */
export const isPassed = (percentage: number, passing: number): boolean =>
  Math.round(percentage * 100) >= Math.round(passing * 100)
