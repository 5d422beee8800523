import { type FieldError, problem } from '#src/contract/problem.ts'

/** The outline has as much as it may. */
export const outlineFull = problem(
  409,
  'outline_full',
  'The outline has no room for more',
  'A course has at most 200 sections and 1,000 lessons that are not archived. Archive some, or make another course.',
)

/** The section is archived. */
export const sectionArchived = problem(
  409,
  'section_archived',
  'The section is archived',
  'Nothing is put into an archived section. Bring it back under its placement first.',
)

/** The lesson is archived. */
export const lessonArchived = problem(
  409,
  'lesson_archived',
  'The lesson is archived',
  'An archived lesson is read and not changed. Bring it back under its placement first.',
)

/** Some ids in their order after one of them was put in a place, at the end unless told. */
export const placedAt = (ids: readonly string[], id: string, position?: number): string[] => {
  const others = ids.filter(other => other !== id)
  const at = Math.min(position ?? others.length, others.length)
  return [...others.slice(0, at), id, ...others.slice(at)]
}

/** What is wrong with an order of things, which names each of them once; `wanted` has ids of rows, or nothing. */
export const faultsOfOrder = (
  at: string,
  wanted: readonly (string | undefined)[],
  present: readonly string[],
): FieldError[] => {
  const met = new Set<string>()
  const faults = wanted.flatMap((id, index): FieldError[] => {
    const pointer = `${at}/${index}`
    if (id === undefined || !present.includes(id))
      return [{ pointer, code: 'unknown', message: 'is not one of those that are there' }]
    const isTwice = met.has(id)
    met.add(id)
    return isTwice ? [{ pointer, code: 'twice', message: 'stands in the order already' }] : []
  })
  if (faults.length > 0 || met.size === present.length) return faults
  return [{ pointer: at, code: 'missing', message: `leaves out ${present.length - met.size} of those that are there` }]
}
