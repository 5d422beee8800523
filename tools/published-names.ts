import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routedOperations } from '#src/contract/area.ts'
import { factTypes } from '#src/contract/fact-types.ts'
import { problems } from '#src/contract/problem.ts'
import { areas } from '../src/areas.ts'

/** The path of the list in the repository. */
export const PUBLISHED_NAMES = 'docs/published-names.json'

/** Names that programs of others are written against. */
export type Names = {
  readonly facts: readonly string[]
  /** The fields of the payloads of facts, each after its type: `course.published.course_id`. */
  readonly fact_fields: readonly string[]
  readonly problems: readonly string[]
  readonly operations: readonly string[]
}

const FILE = join(import.meta.dirname, '..', PUBLISHED_NAMES)

/** The names that were published so far. */
export const publishedNames = (): Names => JSON.parse(readFileSync(FILE, 'utf8')) as Names

/** The names that the declarations have now. */
export const declaredNames = (): Names => ({
  facts: Object.keys(factTypes),
  fact_fields: Object.entries(factTypes).flatMap(([type, { payload }]) =>
    Object.keys(payload.properties).map(name => `${type}.${name}`),
  ),
  problems: problems().map(({ code }) => code),
  operations: routedOperations(areas).map(({ id }) => id),
})

const merged = (published: readonly string[] = [], declared: readonly string[]): string[] =>
  [...new Set([...published, ...declared])].sort()

/** Adds the declared names to those that were published; a published name is never removed here. */
export const withDeclared = (published: Names, declared: Names): Names => ({
  facts: merged(published.facts, declared.facts),
  fact_fields: merged(published.fact_fields, declared.fact_fields),
  problems: merged(published.problems, declared.problems),
  operations: merged(published.operations, declared.operations),
})

if (import.meta.main) {
  const names = withDeclared(publishedNames(), declaredNames())
  writeFileSync(FILE, `${JSON.stringify(names, null, 2)}\n`)
  console.log(
    `${PUBLISHED_NAMES}: ${Object.entries(names)
      .map(([kind, all]) => `${all.length} ${kind}`)
      .join(', ')}`,
  )
}
