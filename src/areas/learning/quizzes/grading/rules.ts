import { type AnswerKey, foldAnswer, type QuestionContent } from '../questions/rules.ts'

/** The answer to one question; empty when there is none. */
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

/** Whether a number differs from a value by at most a tolerance, computed exactly. */
export const isWithin = (answer: string, value: string, tolerance: string): boolean => {
  const [given = 0n, right = 0n, allowed = 0n] = scaled([answer, value, tolerance])
  const distance = given > right ? given - right : right - given
  return distance <= allowed
}

// In hundredths of a point, rounded down, so that half of an answer is never worth more than half.
const computeShare = (points: number, right: number, of: number): number =>
  Math.floor((points * 100 * right) / of) / 100

const ofMultiple = ({ points }: QuestionContent, { correct }: AnswerKey, chosen: readonly string[]): number => {
  const right = chosen.filter(id => correct.includes(id)).length
  return computeShare(points, Math.max(0, right - (chosen.length - right)), correct.length)
}

const isCorrect = ({ kind }: QuestionContent, key: AnswerKey, answer: AnswerContent): boolean => {
  if (kind === 'single') return answer.chosen.length === 1 && key.correct.includes(answer.chosen[0] ?? '')
  if (kind === 'number')
    return answer.number_answer !== null && isWithin(answer.number_answer, key.value ?? '', key.tolerance ?? '0')
  const given = foldAnswer(answer.text_answer ?? '')
  return key.accepted_answers.some(text => foldAnswer(text) === given)
}

/**
 * What an answer is worth; undefined where a lecturer has to say. Of several choices each right one counts its share
 * and each wrong one takes a share away, never below nothing. What was not answered is worth nothing.
 */
export const computePoints = (question: QuestionContent, key: AnswerKey, answer: AnswerContent): number | undefined => {
  if (!isAnswered(answer)) return 0
  if (question.grading === 'manual') return undefined
  if (question.kind === 'multiple') return ofMultiple(question, key, answer.chosen)
  return isCorrect(question, key, answer) ? question.points : 0
}

/** The sum of points, computed in hundredths, so that it is exact. */
export const sumOfPoints = (points: readonly number[]): number =>
  points.reduce((sum, one) => sum + Math.round(one * 100), 0) / 100

/** The percentage of the possible points, rounded down to hundredths; 100 if none are possible. */
export const computePercentage = (points: number, possible: number): number =>
  possible === 0 ? 100 : Math.floor((Math.round(points * 100) * 100) / possible) / 100

/** Whether a number has at most two decimals. */
export const isHundredths = (value: number): boolean => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6

/** Whether a percentage reaches the required one; both have two decimals. */
export const isPassed = (percentage: number, passing: number): boolean =>
  Math.round(percentage * 100) >= Math.round(passing * 100)
