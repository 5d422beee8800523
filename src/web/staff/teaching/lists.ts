import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
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

/** The links to the next page of a list and back to the first one; `cursor` is the parameter that names the page. */
export const turning = (
  { language }: Pick<TeacherContext, 'language'>,
  path: string,
  { parameters, next, cursor = 'cursor' }: { parameters: Parameters; next: string | undefined; cursor?: string },
): Html => html`
${next !== undefined && html`<p><a rel="next" href="${addressWith(path, { ...parameters, [cursor]: next })}">${fill(texts.words.nextPage, language)}</a></p>`}
${(parameters[cursor] ?? '') !== '' && html`<p><a href="${addressWith(path, { ...parameters, [cursor]: '' })}">${fill(texts.words.firstPage, language)}</a></p>`}`
