import type { Role } from './caller.ts'
import type { Phrase } from './language.ts'
import type { Operation } from './operation.ts'
import { nameConstraint, type Problem } from './problem.ts'

/** A scope: the sentence the consent page shows, and the least role it is offered to. */
export type ScopeDeclaration = { readonly sentence: Phrase; readonly offeredTo: Exclude<Role, 'admin'> | 'admin' }

/** One of the twenty parts of the API. */
export type Area = {
  readonly name: string
  readonly summary: string
  /** The first segments of the paths this area owns. */
  readonly segments: readonly string[]
  /** Paths that begin with another area's segment and are this one's all the same. */
  readonly paths?: readonly string[]
  readonly scopes: Readonly<Record<string, ScopeDeclaration>>
  /** Scopes of earlier areas behind which some operations of this one stand. */
  readonly borrows?: readonly string[]
  readonly operations: readonly Operation[]
  /** What it means when the database refuses a write by one of these constraints or unique indexes of the area's tables. */
  readonly constraints?: Readonly<Record<string, Problem>>
}

/** Declares an area; the types refuse an operation whose scope the area neither owns nor borrows. */
export const area = <
  const Scopes extends Readonly<Record<string, ScopeDeclaration>>,
  const Borrowed extends string = never,
>(declared: {
  readonly name: string
  readonly summary: string
  readonly segments: readonly string[]
  readonly paths?: readonly string[]
  readonly scopes: Scopes
  readonly borrows?: readonly Borrowed[]
  readonly operations: readonly Operation<NoInfer<Extract<keyof Scopes, string> | Borrowed>>[]
  readonly constraints?: Readonly<Record<string, Problem>>
}): Area => {
  for (const [name, problem] of Object.entries(declared.constraints ?? {})) nameConstraint(name, problem)
  return declared
}
