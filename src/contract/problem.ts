import type { Phrase } from './language.ts'

/** One kind of refusal: its stable code, its status, its title and its explanation. */
export type Problem = {
  readonly code: string
  readonly status: number
  readonly title: string
  /** The meaning, and what to do, for the page at `/problems/{code}`. */
  readonly explanation: string
  readonly retryable: boolean
}

/** One error in a body: its RFC 6901 pointer, its code and a message. */
export type FieldError = {
  readonly pointer: string
  readonly code: string
  readonly message: string
  /** What fills in the sentence of a page about it; the API says none of it. */
  readonly values?: Readonly<Record<string, string>>
}

/** A link with its label. */
export type Link = { readonly href: string; readonly label: Phrase | string }

type Extras = {
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Links to continue with, shown on a page. */
  readonly links?: readonly Link[]
  /** Additional members of the problem, such as `error` of RFC 6750. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A refusal of a request, thrown so that its writes are rolled back. On a page its detail is a phrase. */
export class Refusal extends Error {
  readonly problem: Problem
  readonly extras: Extras
  readonly phrase: Phrase | undefined
  constructor(problem: Problem, detail: string | Phrase, extras: Extras = {}) {
    super(typeof detail === 'string' ? detail : detail.en)
    this.phrase = typeof detail === 'string' ? undefined : detail
    this.problem = problem
    this.extras = extras
  }
}

const declaredProblems = new Map<string, Problem>()

/** Declares a kind of refusal; a code may be declared once. */
export const problem = (
  status: number,
  code: string,
  title: string,
  explanation: string,
  retryable = false,
): Problem => {
  if (declaredProblems.has(code)) throw new Error(`the problem ${code} is declared twice`)
  const declared = { code, status, title, explanation, retryable }
  declaredProblems.set(code, declared)
  return declared
}

/** Every kind of refusal declared so far, by code. */
export const problems = (): readonly Problem[] =>
  [...declaredProblems.values()].sort((a, b) => (a.code < b.code ? -1 : 1))

/** The kind of refusal with this code. */
export const findProblem = (code: string): Problem | undefined => declaredProblems.get(code)

const byConstraint = new Map<string, Problem>()

/** Declares the refusal for a write that violates this constraint; a constraint has one refusal. */
export const nameConstraint = (constraint: string, problem: Problem): void => {
  const existing = byConstraint.get(constraint)
  if (existing !== undefined && existing !== problem) throw new Error(`the constraint ${constraint} has two refusals`)
  byConstraint.set(constraint, problem)
}

/** The refusal for a write that violates this constraint, if an area has declared one. */
export const findByConstraint = (constraint: string): Problem | undefined => byConstraint.get(constraint)
