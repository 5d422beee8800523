import { Student } from '#src/areas/learning/index.ts'
import { Member } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  checkbox,
  field,
  form,
  formKeyIn,
  hiddenFor,
  inputs,
  mainButton,
  noticeFor,
  page,
  shownAgain,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { addressWith, courseSelect } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { parseEnd } from './access-acts.ts'
import { studentRefusals, studentsText } from './text.ts'

const { enrollPage: text } = texts.staff.students

const PATH = '/staff/students/new'
// Longer than any field may be, so that a long value is refused and not truncated.
const LONGEST = 600

type Person = { readonly id: string; readonly name: string; readonly email: string }

const readMember = ({ query }: TeacherContext): string => query.get('member_id') ?? ''

// The person whom the address names. Staff enroll every member by id, lecturers their students.
const readPerson = async (context: TeacherContext): Promise<Person | undefined> => {
  const { call, isStaff } = context
  const id = readMember(context)
  if (id === '') return undefined
  if (!isStaff) return call({ operation: 'getStudent', params: { student_id: id }, returns: Student })
  return call({ operation: 'getMember', params: { member_id: id }, returns: Member })
}

const renderWho = (context: TeacherContext, person: Person | undefined, typed: Pairs): Html => {
  const { t } = context
  if (person !== undefined)
    return html`<p><strong><bdi>${personName(person, context)}</bdi></strong> <span class="quiet"><bdi>${person.email}</bdi></span></p>`
  const [email, name] = [formField(typed, 'email'), formField(typed, 'name')]
  return html`${field({ name: 'email', label: t(texts.words.email), value: email, attributes: html`type="email" maxlength="254" autocomplete="off" required` })}
${field({ name: 'name', label: t(texts.words.name), value: name, attributes: html`type="text" maxlength="120" autocomplete="off"`, hint: t(text.nameHint) })}`
}

const showForm = async (context: TeacherContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, request, query } = context
  const person = await readPerson(context)
  const courseId = refusal === undefined ? (query.get('course_id') ?? '') : formField(typed, 'course_id')
  const box = (name: 'invites' | 'notify'): Html =>
    checkbox(name, t(text[name]), { isChecked: refusal === undefined || formField(typed, name) === 'yes' })
  const inside = html`${hiddenFor({ typed })}${renderWho(context, person, typed)}
${courseSelect(context, courseId, t(text.chooseCourse))}
${field({ name: 'ends_on', label: t(text.endsOn), value: formField(typed, 'ends_on'), attributes: inputs.day })}
${field({ name: 'note', label: t(texts.words.noteForStaffOptional), value: formField(typed, 'note'), attributes: html`type="text" maxlength="500" autocomplete="off"` })}
${person === undefined && html`${box('invites')}\n`}${box('notify')}
${mainButton(t(text.button))}`
  return context.frame({
    title: t(studentsText.enroll),
    ...noticeFor(refusal, language, { said: studentRefusals }),
    body: html`${person === undefined && html`<p>${t(text.intro)}</p>`}
${context.form(inside, addressWith(request.path, { member_id: person?.id ?? '' }))}`,
  })
}

const enroll = async (context: TeacherContext, typed: Pairs): Promise<void> => {
  const line = (name: string): string => cleanLine(formField(typed, name), LONGEST)
  const isChecked = (name: string): boolean => formField(typed, name) === 'yes'
  const course = formField(typed, 'course_id')
  const [member, note, name] = [readMember(context), line('note'), line('name')]
  const rest = {
    ends_at: parseEnd(formField(typed, 'ends_on').trim(), context.school.timeZone, '/ends_at'),
    notify: isChecked('notify'),
    ...(note === '' ? {} : { note }),
  }
  const call =
    member === ''
      ? {
          operation: 'createStudent',
          body: {
            email: line('email'),
            ...(name === '' ? {} : { name }),
            course_ids: [course],
            send_invitation: isChecked('invites'),
            ...rest,
          },
        }
      : { operation: 'createEnrollment', body: { member_id: member, course_id: course, ...rest } }
  await context.call({ ...call, ...formKeyIn(typed) })
}

/** GET and POST /staff/students/new; the address may name the person, who is enrolled by id, or the course. */
export const enrollSomebody = [
  page(`GET ${PATH}`, teachers, context => showForm(context)),
  form(`POST ${PATH}`, teachers, (context, typed) =>
    shownAgain(
      async () => {
        await enroll(context, typed)
        const member = readMember(context)
        const shown = member === '' ? { course_id: formField(typed, 'course_id') } : { member_id: member }
        return addressWith('/staff/enrollments', { ...shown, done: 'enrolled' })
      },
      refusal => showForm(context, typed, refusal),
    ),
  ),
]
