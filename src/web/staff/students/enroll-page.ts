import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, mainButton } from '#src/web/account/index.ts'
import { checkbox, field, hidden, inputs } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import { addressWith, courseSelect } from '../teaching/lists.ts'
import { personName } from '../teaching/names.ts'
import type { TeachingVisit } from '../teaching/visit.ts'
import { studentRefusals, studentsText } from './text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  intro: say(
    'Gives a person access to a course. Somebody without an account gets one and is invited.',
    'Dá a uma pessoa acesso a um curso. Quem não tem conta recebe uma e um convite.',
  ),
  email: say('E-mail address', 'Endereço de e-mail'),
  name: say('Name', 'Nome'),
  nameHint: say('Needed for somebody who has no account yet.', 'Necessário para quem ainda não tem conta.'),
  chooseCourse: say('Choose a course', 'Escolha um curso'),
  endsOn: say('Last day of access (optional)', 'Último dia de acesso (opcional)'),
  note: say('Note for the staff (optional)', 'Nota para a equipa (opcional)'),
  invites: say('Send an invitation to somebody without an account', 'Enviar um convite a quem não tem conta'),
  notify: say('Tell the person by e-mail', 'Avisar a pessoa por correio eletrónico'),
  button: say('Enroll', 'Inscrever'),
} as const

/** What the page shows. */
export type EnrollView = {
  readonly visit: TeachingVisit
  /** The person whom the address names. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string } | undefined
  readonly courseId: string
  /** Names this form. */
  readonly formKey: string
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

const typed = ({ refused }: EnrollView, name: string): string =>
  refused === undefined ? '' : formField(refused.form, name)

const isChecked = ({ refused }: EnrollView, name: string): boolean =>
  refused === undefined || formField(refused.form, name) === 'yes'

const who = (view: EnrollView): Html => {
  const { person, visit } = view
  const { language } = visit
  if (person !== undefined)
    return html`<p><strong><bdi>${personName(person, visit)}</bdi></strong> <span class="quiet"><bdi>${person.email}</bdi></span></p>`
  return html`${field({
    name: 'email',
    label: fill(text.email, language),
    value: typed(view, 'email'),
    attributes: html`type="email" maxlength="254" autocomplete="off" required`,
  })}
${field({
  name: 'name',
  label: fill(text.name, language),
  value: typed(view, 'name'),
  attributes: html`type="text" maxlength="120" autocomplete="off"`,
  hint: fill(text.nameHint, language),
})}`
}

const boxes = (view: EnrollView): Html => {
  const { person, visit } = view
  const notify = checkbox('notify', fill(text.notify, visit.language), { isChecked: isChecked(view, 'notify') })
  if (person !== undefined) return notify
  return html`${checkbox('invites', fill(text.invites, visit.language), { isChecked: isChecked(view, 'invites') })}
${notify}`
}

/** The page on which somebody is enrolled in a course, by address or, where the address names a person, by id. */
export const enrollPage = (view: EnrollView): Reply => {
  const { visit, person, courseId, refused, formKey } = view
  const { language, request, token } = visit
  const inside = html`${hidden({ form_key: (refused && formField(refused.form, 'form_key')) || formKey })}${who(view)}
${courseSelect(visit, courseId, fill(text.chooseCourse, language))}
${field({ name: 'ends_on', label: fill(text.endsOn, language), value: typed(view, 'ends_on'), attributes: inputs.day })}
${field({ name: 'note', label: fill(text.note, language), value: typed(view, 'note'), attributes: html`type="text" maxlength="500" autocomplete="off"` })}
${boxes(view)}
${mainButton(fill(text.button, language))}`
  return framed({
    school: request.school,
    language,
    title: fill(studentsText.enroll, language),
    ...refusedIn(refused?.refusal, language, studentRefusals),
    body: html`${person === undefined && html`<p>${fill(text.intro, language)}</p>`}
${formOf(addressWith(request.path, { member_id: person?.id ?? '' }), token, inside)}
<p class="quiet"><a href="/staff/students">${fill(studentsText.back, language)}</a></p>`,
  })
}
