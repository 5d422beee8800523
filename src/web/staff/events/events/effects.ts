import type { Fact } from '#src/contract/fact.ts'
import type { StaffContext } from '../../audience.ts'

/** What facts do to money, mail and access, in sentences, each once. */
export const sentencesOf = (facts: readonly Fact[], { t }: StaffContext): string[] => [
  ...new Set(facts.flatMap(({ effects = {} }) => Object.values(effects).map(phrase => t(phrase)))),
]
