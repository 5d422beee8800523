import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { mainButton } from './fields.ts'
import { formOf, framed } from './frame.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  title: say('Enrol in {course}', 'Inscrever-se em {course}'),
  intro: say('This course is free. You can begin at once.', 'Este curso é grátis. Pode começar já.'),
  button: say('Enrol', 'Inscrever-me'),
  back: say('Back to the course', 'Voltar ao curso'),
  refused: say(
    'You are not enrolled: you may have this course already, or it is not free or has no seats left.',
    'A inscrição não foi feita: talvez já tenha este curso, ou ele não é grátis ou não tem lugares.',
  ),
} as const

type EnrollView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly course: { readonly name: string; readonly slug: string }
  readonly isRefused: boolean
}

/** The page on which somebody confirms that they enroll in a free course. */
export const enrollPage = ({ school, language, token, course, isRefused }: EnrollView): Reply => {
  const inside = html`<input type="hidden" name="course" value="${course.slug}">
${mainButton(fill(text.button, language))}`
  return framed({
    ...{ language, school },
    title: fill(text.title, language, { course: course.name }),
    ...(isRefused ? { notice: { kind: 'refused', text: fill(text.refused, language) }, status: 409 } : {}),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf('/account/enroll', token, inside)}
<p class="quiet"><a href="/courses/${course.slug}">${fill(text.back, language)}</a></p>`,
  })
}
