import type { OutlineView } from './course.ts'

type Sections = OutlineView['sections']

/** One step towards the beginning or the end of an outline. */
export type Step = -1 | 1

/** The position of a section after a step; undefined where it is at the end of the outline already. */
export const sectionAfter = (sections: Sections, id: string, step: Step): number | undefined => {
  const at = sections.findIndex(section => section.id === id)
  const position = at + step
  return at < 0 || position < 0 || position >= sections.length ? undefined : position
}

/** The section and position of a lesson after a step: beyond the ends of its section it goes to the one next to it. */
export const lessonAfter = (
  sections: Sections,
  id: string,
  step: Step,
): { readonly section_id: string; readonly position: number } | undefined => {
  const index = sections.findIndex(({ lessons }) => lessons.some(lesson => lesson.id === id))
  const section = sections[index]
  if (section === undefined) return undefined
  const position = section.lessons.findIndex(lesson => lesson.id === id) + step
  if (position >= 0 && position < section.lessons.length) return { section_id: section.id, position }
  const neighbour = sections[index + step]
  if (neighbour === undefined) return undefined
  return { section_id: neighbour.id, position: step < 0 ? neighbour.lessons.length : 0 }
}
