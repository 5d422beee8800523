import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type Choice, formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import { isChecked, lineIn, lineOrNull, numberOrNull, textIn, valuesIn } from '../../forms/values.ts'
import { inputs } from '../../pages/fields.ts'
import { type EventShown, pathOf } from './frame.ts'
import { type EventView, stateOf } from './shown.ts'
import { eventsText as text } from './text.ts'

const formOfEvent = (event: EventShown): Pairs => [
  ['name', event.name],
  ['description', event.description],
  ['kind', event.kind],
  ['place_name', event.location?.name ?? ''],
  ['address', event.location?.address ?? ''],
  ['place_note', event.location?.note ?? ''],
  ['meeting_url', event.meeting_url ?? ''],
  ['capacity', event.capacity === null ? '' : String(event.capacity)],
  ['waitlist', event.waitlist ? 'yes' : ''],
  ['approval_holds_seat', event.approval_holds_seat ? 'yes' : ''],
  ['visibility', event.visibility],
  ...(event.group_ids ?? []).map((id): [string, string] => ['group_ids', id]),
  ...(event.plan_ids ?? []).map((id): [string, string] => ['plan_ids', id]),
  ...event.lecturer_ids.map((id): [string, string] => ['lecturer_ids', id]),
  ['course_id', event.course_id ?? ''],
  ['cancellation_until', String(event.cancellation_until)],
  ['refund_rule', event.refund_rule],
  ['slug', event.slug],
  ['comments', event.comments],
  ['seo_title', event.seo.title ?? ''],
  ['seo_description', event.seo.description ?? ''],
  ['external_id', event.external_id ?? ''],
]

const locationIn = (form: Pairs, { location }: EventShown) => {
  const name = lineIn(form, 'place_name')
  if (name === '') return null
  const { latitude = null, longitude = null } = location ?? {}
  return { name, address: lineIn(form, 'address'), note: lineIn(form, 'place_note'), latitude, longitude }
}

/** The body of the change that the form of an event asks for; staff alone choose hosts, groups and plans. */
export const bodyIn = (form: Pairs, event: EventShown, isStaff: boolean) => {
  const isPrivate = formField(form, 'visibility') === 'private'
  return {
    name: lineIn(form, 'name'),
    description: textIn(form, 'description'),
    kind: formField(form, 'kind'),
    location: locationIn(form, event),
    meeting_url: lineOrNull(form, 'meeting_url'),
    capacity: numberOrNull(form, 'capacity'),
    waitlist: isChecked(form, 'waitlist'),
    approval_holds_seat: isChecked(form, 'approval_holds_seat'),
    visibility: formField(form, 'visibility'),
    ...(isStaff
      ? {
          lecturer_ids: valuesIn(form, 'lecturer_ids'),
          group_ids: isPrivate ? valuesIn(form, 'group_ids') : [],
          plan_ids: isPrivate ? valuesIn(form, 'plan_ids') : [],
        }
      : {}),
    course_id: lineOrNull(form, 'course_id'),
    cancellation_until: numberOrNull(form, 'cancellation_until') ?? 0,
    refund_rule: formField(form, 'refund_rule'),
    slug: lineIn(form, 'slug'),
    comments: formField(form, 'comments'),
    seo: { title: lineOrNull(form, 'seo_title'), description: lineOrNull(form, 'seo_description') },
    external_id: lineOrNull(form, 'external_id'),
  }
}

const short = (length: number): Html => html`type="text" maxlength="${length}"`

type Phrases = Readonly<Record<string, { readonly en: string; readonly pt: string }>>

const choicesOf = (names: Phrases, { t }: StaffContext): Choice[] =>
  Object.entries(names).map(([value, phrase]) => ({ value, label: t(phrase) }))

const placePart = (state: FormState, { t }: StaffContext): Html => html`<fieldset><legend>${t(text.place)}</legend>
${line(state, { name: 'place_name', label: t(text.placeName), attributes: short(200) })}
${line(state, { name: 'address', label: t(text.address), attributes: short(500) })}
${line(state, { name: 'place_note', label: t(text.placeNote), attributes: short(500) })}
${line(state, { name: 'meeting_url', label: t(text.meeting), hint: t(text.meetingHint), attributes: html`type="url" maxlength="500"` })}</fieldset>`

const boxes = (state: FormState, name: string, legend: string, choices: readonly Choice[], none: string): Html =>
  html`<fieldset><legend>${legend}</legend>
${choices.length === 0 && html`<p class="quiet">${none}</p>`}
${choices.map(({ value, label }) => box(state, { name, id: value, label }, value))}</fieldset>`

const peoplePart = (state: FormState, context: StaffContext, { choices }: EventView): Html | false => {
  const { t, isStaff } = context
  return (
    isStaff &&
    html`${choices.groups.length > 0 && boxes(state, 'group_ids', t(text.groups), choices.groups, '')}
${choices.plans.length > 0 && boxes(state, 'plan_ids', t(text.privatePlans), choices.plans, '')}
${boxes(state, 'lecturer_ids', t(text.hosts), choices.hosts, t(text.noHosts))}`
  )
}

const morePart = (state: FormState, { t }: StaffContext): Html =>
  html`<details class="filters"><summary>${t(text.more)}</summary>
${line(state, { name: 'seo_title', label: t(text.seoTitle), attributes: short(120) })}
${line(state, { name: 'seo_description', label: t(text.seoDescription), attributes: short(320) })}
${line(state, { name: 'external_id', label: t(text.externalId), attributes: short(255) })}</details>`

/** The form with the settings of an event. */
export const eventForm = (context: StaffContext, view: EventView): Html => {
  const { t, token } = context
  const { event, again, choices } = view
  const state = stateOf(context, again, ['save'], formOfEvent(event))
  const typed = formField(state.typed, 'revision')
  const isStale = typed === '' || again?.refusal?.problem.code === 'precondition_failed'
  const courses = [{ value: '', label: t(text.noCourse) }, ...choices.courses]
  const inside = html`${hidden({ act: 'save', revision: isStale ? event.revision : typed })}
${line(state, { name: 'name', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
${area(state, { name: 'description', label: t(text.description), rows: 8, attributes: html`maxlength="10000"` })}
${choose(state, { name: 'kind', label: t(text.kind) }, choicesOf(text.kinds, context))}
${placePart(state, context)}
${line(state, { name: 'capacity', label: t(text.capacity), attributes: inputs.number })}
${box(state, { name: 'waitlist', label: t(text.waitlist) })}
${box(state, { name: 'approval_holds_seat', label: t(text.approvalHoldsSeat) })}
${choose(state, { name: 'visibility', label: t(text.visibility) }, choicesOf(text.visibilities, context))}
${peoplePart(state, context, view)}
${choose(state, { name: 'course_id', label: t(text.course) }, courses)}
<p><a href="${pathOf(event)}/questions">${t(text.questions, { n: event.questions.length })}</a></p>
${line(state, { name: 'cancellation_until', label: t(text.until), attributes: inputs.number })}
${choose(state, { name: 'refund_rule', label: t(text.refund) }, choicesOf(text.refunds, context))}
${line(state, { name: 'slug', label: t(text.slug), hint: t(text.slugHint), attributes: html`type="text" maxlength="80" required` })}
${choose(state, { name: 'comments', label: t(text.comments) }, choicesOf(text.commentModes, context))}
${morePart(state, context)}
<div class="buttons row"><button class="main" type="submit">${t(text.save)}</button></div>`
  return formOf(pathOf(event), token, inside)
}

/** The picture of an event, with the form that changes it. */
export const imagePart = ({ t, language, token }: StaffContext, { event }: EventView): Html => {
  const { image, revision } = event
  const remove = html`${hidden({ act: 'remove_image', revision })}<button class="plain" type="submit">${t(text.removeImage)}</button>`
  const glue = image?.url.includes('?') ? '&' : '?'
  return html`<section class="card" id="image"><h2>${t(text.image)}</h2>
${image === null ? html`<p>${t(text.noImage)}</p>` : html`<img class="thumbnail" src="${image.url}${glue}width=320" alt="">${formOf(pathOf(event), token, remove)}`}
${renderFileForm({
  ...{ action: pathOf(event), token, language },
  fields: { act: 'image', revision },
  id: 'image-file',
  label: t(text.chooseImage),
  button: t(text.upload),
  accept: 'image/png,image/jpeg,image/webp',
  hint: t(text.imageHint),
})}</section>`
}
