import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, select } from '#src/web/page/index.ts'
import type { TeacherContext } from '../audience.ts'

/** Parameters of an address; empty ones are left out. */
type Parameters = Readonly<Record<string, string>>

/** An address with parameters. */
export const addressWith = (path: string, parameters: Parameters): string => {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The list of courses of a form, in which none may be chosen. */
export const courseSelect = ({ t, courses }: TeacherContext, chosen: string, none = t(texts.words.allCourses)) => {
  const choices: Choice[] = courses.map(({ id, name }) => ({ value: id, label: name }))
  return select('course_id', t(texts.words.course), chosen, [{ value: '', label: none }, ...choices])
}

/** The courses by which a list is filtered; one that an address names is among them, though the person may have more than are read. */
export const courseFilter = ({ courses, query }: TeacherContext): Readonly<Record<string, Phrase>> => {
  const given = query.get('course_id') ?? ''
  const named: readonly (readonly [string, Phrase])[] = courses.map(({ id, name }) => [id, { en: name }])
  return Object.fromEntries(given === '' ? named : [[given, texts.words.course], ...named])
}
