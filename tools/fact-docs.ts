import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Area } from '#src/contract/area.ts'
import { type FactType, factTypes } from '#src/contract/fact-types.ts'
import type { FactDeclaration } from '#src/contract/facts/declaration.ts'
import { areas } from '../src/areas.ts'

/** The path of the page. */
export const FACTS_PAGE = 'docs/facts.md'

const ROOT = join(import.meta.dirname, '..')

const listSubscribers = (type: FactType): string =>
  (areas as readonly Area[])
    .filter(({ subscribers = {} }) => type in subscribers)
    .map(({ name }) => name)
    .join(', ')

const code = (text: string): string => `\`${text}\``

// A field that may be missing has a question mark.
const listFields = ({ payload }: FactDeclaration): string => {
  const required: readonly string[] = payload.required ?? []
  return Object.keys(payload.properties)
    .map(name => code(required.includes(name) ? name : `${name}?`))
    .join(', ')
}

const describe = (type: string, declared: FactDeclaration): string[] => [
  code(type),
  declared.sentence,
  code(declared.scope),
  listFields(declared),
  declared.readBy === null ? '' : code(declared.readBy),
]

const TITLES = ['fact', 'what happened', 'scope', 'payload', 'read by', 'areas that react']

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The page of all facts, with the areas that react to them. */
export const factsPage = (): string => {
  const all: [string, FactDeclaration][] = Object.entries(factTypes)
  const rows = all
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, declared]) => row([...describe(type, declared), listSubscribers(type as FactType)]))
  return `<!-- Written by \`npm run docs\` from src/contract/facts; do not edit. -->

# Facts

A fact says that something happened. It is recorded in the transaction of the write that caused it, numbered in the order of commits
without gaps, and delivered at least once to the areas that react to it. A dry run and a confirmation list the facts of a write in
\`effects\`. The payload of a fact has ids of the API, counts, words and names of fields, never a person's data; \`/facts.json\` has the schema of
each with an example. An app needs the scope; \`internal\` facts leave no school. What a fact is about is read by the operation.

Names of facts and of the fields of payloads stay (\`docs/published-names.json\`): a resource and what happened to it, in the past tense.

${[row(TITLES), row(TITLES.map(() => '---')), ...rows].join('\n')}
`
}

if (import.meta.main) {
  const file = join(ROOT, FACTS_PAGE)
  const page = factsPage()
  const isSame = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) === page
  if (!isSame) writeFileSync(file, page)
  console.log(`${FACTS_PAGE}: ${isSame ? 'was up to date' : 'written'}`)
}
