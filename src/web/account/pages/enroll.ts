import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { mainButton } from './fields.ts'
import { formOf, framed } from './frame.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  title: say('Enroll in {course}', 'Inscrever-se em {course}'),
  intro: say('This course is free. You can begin at once.', 'Este curso é grátis. Pode começar já.'),
  button: say('Enroll', 'Inscrever-me'),
  back: say('Back to the course', 'Voltar ao curso'),
  refused: say(
    'You are not enrolled: this course is not free now, or not open to you.',
    'A inscrição não foi feita: este curso agora não é grátis, ou não está aberto para si.',
  ),
} as const

// What the person can do about it, by the code of the refusal.
const reasons: Readonly<Record<string, Phrase>> = {
  already_has_access: say('You already have this course.', 'Já tem este curso.'),
  sold_out: say('All free seats of this course are taken.', 'Os lugares grátis deste curso estão todos ocupados.'),
  free_access_used: say(
    'You have used the free access to this course. Ask the school for another way.',
    'Já usou o acesso grátis a este curso. Pergunte à escola por outra forma.',
  ),
  access_on_hold: say(
    'The school has put your access on hold, so nothing was changed. Ask the school about it.',
    'A escola suspendeu o seu acesso, por isso nada foi alterado. Fale com a escola.',
  ),
  access_ended_by_school: say(
    'The school ended your access to this course, so you cannot enroll by yourself. Ask the school to enroll you.',
    'A escola terminou o seu acesso a este curso, por isso não se pode inscrever sozinho. Peça à escola que o inscreva.',
  ),
}

type EnrollView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly course: { readonly name: string; readonly slug: string }
  /** The code of the refusal of the enrollment, if it was refused. */
  readonly refusedFor: string | undefined
}

/** The page on which somebody confirms that they enroll in a free course. */
export const enrollPage = ({ school, language, token, course, refusedFor }: EnrollView): Reply => {
  const inside = html`<input type="hidden" name="course" value="${course.slug}">
${mainButton(fill(text.button, language))}`
  return framed({
    ...{ language, school },
    title: fill(text.title, language, { course: course.name }),
    ...(refusedFor === undefined
      ? {}
      : { notice: { kind: 'refused', text: fill(reasons[refusedFor] ?? text.refused, language) }, status: 409 }),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf(`/account/enroll?${new URLSearchParams({ course: course.slug })}`, token, inside)}
<p class="quiet"><a href="/courses/${course.slug}">${fill(text.back, language)}</a></p>`,
  })
}
