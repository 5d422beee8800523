import { MemberPage } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidBody, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { field, form, hidden, inputs, isShown, noticeFor, page, select, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { parseEnd } from '../../learning/students/access-acts.ts'
import { studentRefusals } from '../../learning/students/text.ts'
import { staffText } from '../../pages/text.ts'
import { personName } from '../../teaching/names.ts'
import { type ActName, findAct } from './acts.rules.ts'
import { type Person, personPath, readParams, readPerson } from './read.ts'

const text = texts.staff.personPage
const { roleNames } = staffText

// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 300
const LONGEST_NOTE = 600

/** What is said of refusals here. */
const said = { ...staffText.refusals, ...studentRefusals, ...text.refusals }

const getAct = ({ params }: StaffContext): { readonly name: ActName } => {
  const act = findAct(params.act)
  if (act === undefined) throw new Refusal(notFound, 'There is no such page.')
  return act
}

// The other account, by the address that was typed.
const findOther = async ({ call }: StaffContext, typed: Pairs): Promise<Person | undefined> => {
  const email = formField(typed, 'email').trim()
  if (email === '') return undefined
  const { data } = await call({ operation: 'listMembers', query: [['email', email]], returns: MemberPage })
  return data[0]
}

const callFor = async (name: ActName, context: StaffContext, typed: Pairs): Promise<PageCall<undefined>> => {
  const params = readParams(context)
  const asStudent = { student_id: params.member_id }
  switch (name) {
    case 'role': {
      const role = roles.find(one => one === formField(typed, 'role'))
      if (role === undefined) throw new Refusal(formRefused, 'The form has no valid role.')
      return role === 'member'
        ? { operation: 'removeStaffRole', params }
        : { operation: 'setStaffRole', params, body: { role } }
    }
    case 'suspend':
      return { operation: 'suspendMember', params, body: { reason: cleanLine(formField(typed, 'reason'), LONGEST) } }
    case 'reinstate':
      return { operation: 'reinstateMember', params }
    case 'invite':
      return { operation: 'inviteMember', params }
    case 'sign_out':
      return { operation: 'deleteMemberSessions', params }
    case 'hold': {
      const until = parseEnd(formField(typed, 'until').trim(), context.timeZone, '/until')
      const note = cleanLine(formField(typed, 'note'), LONGEST_NOTE)
      return { operation: 'placeHold', params: asStudent, body: { until, ...(note !== '' && { note }) } }
    }
    case 'lift':
      return { operation: 'liftHold', params: asStudent }
    case 'export':
      return { operation: 'createMemberExport', params }
    case 'delete':
      return { operation: 'deleteMember', params }
    case 'erase':
      return { operation: 'eraseMember', params }
    case 'merge': {
      const other = await findOther(context, typed)
      return { operation: 'mergeMembers', params, body: { member_id: other?.id ?? params.member_id } }
    }
  }
}

// Acts whose effects do not depend on what is typed.
const SHOWN_AT_ONCE: readonly ActName[] = ['invite', 'sign_out', 'hold', 'lift', 'reinstate', 'delete', 'erase']

type Tried = { readonly effects: readonly string[]; readonly refusal?: Refusal }

const tryAct = async (name: ActName, context: StaffContext, typed: Pairs): Promise<Tried> => {
  try {
    const call = await callFor(name, context, typed)
    const { effects } = await context.call({ ...call, dryRun: true })
    const said = effects.flatMap(({ effects: own = {} }) => Object.values(own).map(phrase => context.t(phrase)))
    return { effects: [...new Set(said)] }
  } catch (error) {
    if (!isShown(error)) throw error
    return { effects: [], refusal: error }
  }
}

const renderHoldFields = ({ t }: StaffContext, typed: Pairs): Html =>
  html`${field({ name: 'until', label: t(texts.words.lastDayOptional), value: formField(typed, 'until'), attributes: inputs.day, hint: t(texts.staff.students.enrollment.untilLifted) })}
${field({ name: 'note', label: t(texts.words.noteForStaffOptional), value: formField(typed, 'note'), attributes: html`type="text" maxlength="500" autocomplete="off"` })}`

const renderFields = async (name: ActName, person: Person, context: StaffContext, typed: Pairs): Promise<Html> => {
  const { t } = context
  if (name === 'suspend') {
    const attributes = html`type="text" maxlength="200" required`
    const label = t(text.acts.suspend.reason)
    return html`${field({ name: 'reason', label, value: formField(typed, 'reason'), attributes })}`
  }
  if (name === 'hold') return renderHoldFields(context, typed)
  if (name === 'role') {
    const choices = roles.map(value => ({ value, label: t(roleNames[value]) }))
    return select('role', t(staffText.person.role), formField(typed, 'role') || person.role, choices)
  }
  if (name === 'erase') {
    const attributes = html`type="text" maxlength="254" autocomplete="off" required`
    return html`${field({ name: 'typed', label: t(text.typeAddress, { email: person.email }), value: '', attributes })}`
  }
  if (name !== 'merge') return html``
  const other = await findOther(context, typed)
  if (other !== undefined)
    return html`<p>${t(text.mergeOther, { name: personName(other, context), email: other.email })}</p>
${hidden({ email: other.email })}`
  const attributes = html`type="email" maxlength="254" autocomplete="off" required`
  const value = formField(typed, 'email')
  return html`${field({ name: 'email', label: t(text.mergeAddress), value, hint: t(text.mergeHint), attributes })}`
}

const refuseField = (field: string, message: string): Refusal =>
  new Refusal(invalidBody, 'The form is not complete.', {
    errors: [{ pointer: `/${field}`, code: 'unknown', message }],
  })

const isDanger = (name: ActName): boolean => ['suspend', 'merge', 'delete', 'erase'].includes(name)

type Again = { readonly typed: Pairs; readonly refusal?: Refusal | undefined; readonly effects?: readonly string[] }

const show = async (context: StaffContext, again: Again = { typed: [] }): Promise<Reply> => {
  const { t, language } = context
  const { name } = getAct(context)
  const person = await readPerson(context)
  const tried = SHOWN_AT_ONCE.includes(name) ? await tryAct(name, context, again.typed) : undefined
  const effects = again.effects ?? tried?.effects ?? []
  const refusal = again.refusal ?? tried?.refusal
  const { title, about, button } = text.acts[name]
  const isFirstStep = name === 'merge' && again.effects === undefined
  const act = isFirstStep ? 'check' : name
  const shown = personName(person, context)
  return context.frame({
    title: t(title),
    lead: shown,
    ...noticeFor(refusal, language, { said }),
    body: html`<p>${t(about, { name: shown })}</p>
${effects.length > 0 && html`<div role="status"><ul class="effects">\n${effects.map(one => html`<li>${one}</li>\n`)}</ul></div>`}
${context.form(html`${hidden({ act })}${await renderFields(name, person, context, again.typed)}
<div class="buttons"><a class="button" href="${personPath(person.id)}">${t(text.keep)}</a>
<button type="submit" class="main${isDanger(name) && html` bad`}">${t(isFirstStep ? text.mergeCheck : button)}</button></div>`)}`,
  })
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const { name } = getAct(context)
  const person = await readPerson(context)
  if (formField(typed, 'act') === 'check') {
    if ((await findOther(context, typed)) === undefined)
      return show(context, { typed, refusal: refuseField('member_id', 'is nobody') })
    const { effects, refusal } = await tryAct(name, context, typed)
    return refusal === undefined ? show(context, { typed, effects }) : show(context, { typed, refusal })
  }
  if (formField(typed, 'act') !== name) throw new Refusal(formRefused, 'The form has no valid action.')
  if (name === 'erase' && formField(typed, 'typed').trim() !== person.email)
    return show(context, { typed, refusal: refuseField('typed', 'is another address') })
  return shownAgain(
    async () => {
      await context.call(await callFor(name, context, typed))
      return `${personPath(person.id)}?done=${name}`
    },
    refusal => show(context, { typed, refusal }),
  )
}

/** GET and POST /staff/people/:id/acts/:act: what an act does, and the act. */
export const actPages = [
  page('GET /staff/people/:id/acts/:act', staff, context => show(context)),
  form('POST /staff/people/:id/acts/:act', staff, submit),
]
