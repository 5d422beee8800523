import { fromId } from '#src/kit/ids.ts'

/** A course as the rows of a file may name it. */
type NameableCourse = {
  readonly id: string
  readonly slug: string
  readonly external_id: string | null
  readonly name: string
}

/** The ids among texts, and the texts. */
export const splitNames = (texts: readonly string[]): { ids: string[]; texts: readonly string[] } => ({
  ids: texts.flatMap(text => fromId('crs', text) ?? []),
  texts,
})

/** The course that a text names: by slug, external id, id or name, in this order; of several with one name, none. */
export const findNamed = (text: string, courses: readonly NameableCourse[]): NameableCourse | 'several' | undefined => {
  const id = fromId('crs', text)
  const one =
    courses.find(({ slug }) => slug === text) ??
    courses.find(({ external_id: externalId }) => externalId === text) ??
    courses.find(course => course.id === id)
  if (one !== undefined) return one
  const named = courses.filter(({ name }) => name === text)
  return named.length > 1 ? 'several' : named[0]
}
