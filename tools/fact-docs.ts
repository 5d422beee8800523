import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Area } from '#src/contract/area.ts'
import { type FactType, factTypes } from '#src/contract/fact-types.ts'
import { areas } from '../src/areas.ts'

/** The path of the page. */
export const FACTS_PAGE = 'docs/facts.md'

const ROOT = join(import.meta.dirname, '..')

const listSubscribers = (type: FactType): string =>
  (areas as readonly Area[])
    .filter(({ subscribers = {} }) => type in subscribers)
    .map(({ name }) => name)
    .join(', ')

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The page of all facts, with the areas that react to them. */
export const factsPage = (): string => {
  const rows = Object.entries(factTypes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, { sentence }]) => row([`\`${type}\``, sentence, listSubscribers(type as FactType)]))
  return `<!-- Written by \`npm run docs\` from src/contract/fact-types.ts; do not edit. -->

# Facts

A fact says that something happened. It is recorded in the transaction of the write that caused it, numbered in the order of commits
without gaps, and delivered at least once to the areas that react to it. A dry run and a confirmation list the facts of a write in
\`effects\`. The payload of a fact has ids of the API and names of fields, never a person's data.

Names stay (\`docs/published-names.json\`): a resource and what happened to it, in the past tense.

${[row(['fact', 'what happened', 'areas that react']), row(['---', '---', '---']), ...rows].join('\n')}
`
}

if (import.meta.main) {
  const file = join(ROOT, FACTS_PAGE)
  const page = factsPage()
  const isSame = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) === page
  if (!isSame) writeFileSync(file, page)
  console.log(`${FACTS_PAGE}: ${isSame ? 'was up to date' : 'written'}`)
}
