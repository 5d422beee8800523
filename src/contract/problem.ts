import type { Phrase } from './language.ts'

/** One kind of refusal: its stable code, its status and the sentences that explain it. */
export type Problem = {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What it means and what to do, for the page at `/problems/{code}`. */
  readonly explanation: string
  readonly retryable: boolean
}

/** One fault in a body: where (RFC 6901 pointer), which, and in words. */
export type FieldError = { readonly pointer: string; readonly code: string; readonly message: string }

/** An address that leads on, with its words. */
export type Link = { readonly href: string; readonly label: Phrase | string }

type Extras = {
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** Where to go on, shown as links on a page. */
  readonly links?: readonly Link[]
  /** Members beside the problem's own, such as `error` of RFC 6750. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A refusal on its way to the caller; what the request wrote is rolled back. On a page its detail is a phrase. */
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

const known = new Map<string, Problem>()

/** Declares a kind of refusal; a code may be declared once. */
export const problem = (
  status: number,
  code: string,
  title: string,
  explanation: string,
  retryable = false,
): Problem => {
  if (known.has(code)) throw new Error(`the problem ${code} is declared twice`)
  const declared = { code, status, title, explanation, retryable }
  known.set(code, declared)
  return declared
}

/** Every kind of refusal declared so far, by code. */
export const problems = (): readonly Problem[] => [...known.values()].sort((a, b) => (a.code < b.code ? -1 : 1))

/** The kind of refusal with this code. */
export const findProblem = (code: string): Problem | undefined => known.get(code)

const byConstraint = new Map<string, Problem>()

/** Says what it means when the database refuses a write by this constraint; a constraint means one thing. */
export const nameConstraint = (constraint: string, problem: Problem): void => {
  const before = byConstraint.get(constraint)
  if (before !== undefined && before !== problem) throw new Error(`the constraint ${constraint} means two things`)
  byConstraint.set(constraint, problem)
}

/** What it means when the database refuses a write by this constraint, where a room has said so. */
export const findByConstraint = (constraint: string): Problem | undefined => byConstraint.get(constraint)
