import { staffSources } from '#src/areas/learning/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { checkbox, field, folded, hidden, inputs, select, showEnd } from '#src/web/page/index.ts'
import type { EnrollmentAct } from './access-acts.ts'
import type { EnrollmentView, EntitlementShown } from './enrollment-view.ts'
import { studentsText } from './text.ts'

const { enrollment: text } = texts.staff.students

const isOver = ({ ends_at, revoked_at }: EntitlementShown, at: string): boolean =>
  revoked_at !== null || (ends_at !== null && Date.parse(ends_at) <= Date.parse(at))

// What staff gave to this course alone, and may change.
const changeable = ({ access }: EnrollmentView): readonly EntitlementShown[] =>
  access === undefined
    ? []
    : access.entitlements.filter(
        one =>
          one.item.type === 'course' && staffSources.some(source => source === one.source) && !isOver(one, access.at),
      )

const reasonText = (one: EntitlementShown, { context: { t, day, language, viewer } }: EnrollmentView): string => {
  const source = t(studentsText.sources[one.source])
  const end = one.revoked_at ?? one.ends_at
  const span =
    end === null
      ? t(text.from, { day: day(one.starts_at) })
      : t(text.fromUntil, { from: day(one.starts_at), until: showEnd(end, language, viewer) })
  return [one.item.name === null ? source : `${source}: ${one.item.name}`, span].join(' · ')
}

const typed = ({ refused }: EnrollmentView, act: EnrollmentAct, name: string): string =>
  refused?.act === act ? formField(refused.typed, name) : ''

const lastDay = (view: EnrollmentView, act: EnrollmentAct, name: 'ends_on' | 'until', hint?: string): Html =>
  field({
    name,
    id: `${act}-${name}`,
    label: view.context.t(texts.words.lastDay),
    value: typed(view, act, name),
    attributes: inputs.day,
    ...(hint === undefined ? {} : { hint }),
  })

const note = (view: EnrollmentView, act: EnrollmentAct, name: 'note' | 'reason'): Html =>
  field({
    name,
    id: `${act}-${name}`,
    label: view.context.t(texts.words.noteForStaffOptional),
    value: typed(view, act, name),
    attributes: html`type="text" maxlength="500" autocomplete="off"`,
  })

const renderWhich = (view: EnrollmentView): Html | false => {
  const all = changeable(view)
  const choices = all.map(one => ({ value: one.id, label: reasonText(one, view) }))
  const chosen = typed(view, 'move_end', 'entitlement')
  return all.length > 1 && select('entitlement', view.context.t(text.which), chosen, choices)
}

const fields: Partial<Record<EnrollmentAct, (view: EnrollmentView) => Html>> = {
  move_end: view => html`${renderWhich(view)}${lastDay(view, 'move_end', 'ends_on', view.context.t(text.noEnd))}`,
  end: view => note(view, 'end', 'reason'),
  give: view =>
    html`${lastDay(view, 'give', 'ends_on', view.context.t(text.noEnd))}${note(view, 'give', 'note')}${checkbox('notify', view.context.t(texts.words.tellByEmail), { isChecked: true })}`,
  hold: view => html`${lastDay(view, 'hold', 'until', view.context.t(text.untilLifted))}${note(view, 'hold', 'note')}`,
}

const actForm = (act: keyof typeof text.acts, view: EnrollmentView): Html => {
  const { enrollment, context, formKey, refused } = view
  const { t, form } = context
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision: enrollment.revision, form_key: formKey })}${fields[act]?.(view)}
<div class="buttons"><button type="submit">${t(button)}</button></div>`
  return folded(
    t(title),
    html`<p class="quiet">${t(about)}</p>
${form(inside)}`,
    refused?.act === act,
  )
}

const isHeldByStaff = ({ access }: EnrollmentView): boolean =>
  access?.holds.some(({ is_active: isActive, reason, item }) => isActive && reason === 'staff' && item !== 'all') ??
  false

/** Whether staff hold all access of a person, by what explains that to a course. */
export const isAllHeld = ({ holds }: Pick<NonNullable<EnrollmentView['access']>, 'holds'>): boolean =>
  holds.some(one => one.is_active && one.reason === 'staff' && one.item === 'all')

// Staff hold all access of a person, and lift that, on pages of the person.
const linkHold = ({ access, enrollment, context }: EnrollmentView): Html | false => {
  if (access === undefined || !context.isStaff) return false
  const act = isAllHeld(access) ? 'lift' : 'hold'
  return html`<p><a href="/staff/people/${enrollment.member_id}/acts/${act}">${context.t(texts.staff.personPage.acts[act].title)}</a></p>`
}

// What is not possible is not offered; the operation decides all the same.
const isOffered: Readonly<Record<keyof typeof text.acts, (view: EnrollmentView) => boolean>> = {
  move_end: view => changeable(view).length > 0,
  give: ({ enrollment }) => enrollment.access.state !== 'active' && enrollment.access.state !== 'held',
  hold: ({ enrollment }) => enrollment.access.state === 'active',
  lift: isHeldByStaff,
  end: view => changeable(view).length > 0,
}

const acts = ['move_end', 'give', 'hold', 'lift', 'end'] as const

/** Why a person has access to a course or has none, and what can be done about it. */
export const accessPart = (view: EnrollmentView): Html => {
  const { access, enrollment, context } = view
  const { t } = context
  const state = t(studentsText.states[enrollment.access.state])
  return html`<h2>${t(text.access, { state })}</h2>
${access?.explanation.map(sentence => html`<p>${sentence}</p>\n`)}
${access !== undefined && access.entitlements.length > 0 && html`<ul class="list">\n${access.entitlements.map(one => html`<li>${reasonText(one, view)}${one.reason != null && html`<br><span class="quiet"><bdi>${one.reason}</bdi></span>`}</li>\n`)}</ul>`}
${access !== undefined && acts.filter(act => isOffered[act](view)).map(act => actForm(act, view))}
${linkHold(view)}`
}
