import { Occurrence } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { form, formOf, hidden, isReply, isShown, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, choose, line } from '../../forms/fields.ts'
import { lineIn, lineOrNull, textIn } from '../../forms/values.ts'
import { recentStaffOf } from '../../page-request.ts'
import { folded } from '../../pages/fields.ts'
import type { StaffSection } from '../../section.ts'
import { sentencesOf } from './effects.ts'
import { termsIn } from './event-acts.ts'
import {
  type DateShown,
  datePathOf,
  type EventShown,
  eventsPage,
  listAbove,
  localText,
  PATH,
  pathOf,
  statusBadge,
} from './frame.ts'
import { getManaged } from './managed.ts'
import { cancelForm, effectsNote } from './parts.ts'
import { type Again, stateOf } from './shown.ts'
import { eventRefusals, eventsText as text } from './text.ts'
import { timeFields, timeIn, timePairs } from './time-fields.ts'

type Shown = { readonly event: EventShown; readonly date: DateShown }

const read = async (context: StaffContext): Promise<Shown> => {
  const { date: dateId = '' } = context.request.params
  const [event, date] = await Promise.all([
    getManaged(context),
    context.call({ operation: 'getOccurrence', params: { occurrence_id: dateId }, returns: Occurrence }),
  ])
  if (date.event_id !== event.id) throw new Refusal(notFound, 'There is no such date.')
  return { event, date }
}

const moveForm = (context: StaffContext, { date }: Shown, again: Again | undefined): Html => {
  const { t, language, token } = context
  const stored = timePairs(date.starts_at, date.duration_minutes)
  const state = stateOf(context, again, ['check_move', 'move'], stored)
  const effects = state.typed === stored ? undefined : again?.effects
  const inside = html`${hidden({ revision: date.revision })}<p class="quiet">${t(text.moveAbout)}</p>
${timeFields(state, language, '')}
${effects !== undefined && effectsNote(effects)}
<div class="buttons row"><button type="submit" name="act" value="check_move">${t(text.checkEffects)}</button>
${effects !== undefined && html`<button class="main" type="submit" name="act" value="move">${t(text.move)}</button>`}</div>`
  return folded(t(text.move), formOf(datePathOf(date), token, inside), state.typed !== stored)
}

const recordingForm = (context: StaffContext, { date }: Shown, again: Again | undefined): Html => {
  const { t, token } = context
  const state = stateOf(context, again, ['recording'], [['url', date.recording_url ?? '']])
  const inside = html`${hidden({ act: 'recording', revision: date.revision })}
${line(state, { name: 'url', label: t(text.recordingUrl), hint: t(text.recordingHint), attributes: html`type="url" maxlength="500"` })}<div class="buttons row"><button type="submit">${t(text.save)}</button></div>`
  return html`<section class="card" id="recording"><h2>${t(text.recording)}</h2>
${formOf(datePathOf(date), token, inside)}</section>`
}

const messageIn = (form: Pairs) => ({
  to: formField(form, 'to'),
  subject: lineIn(form, 'subject'),
  message: textIn(form, 'message'),
})

const messageForm = (context: StaffContext, { date }: Shown, again: Again | undefined): Html => {
  const { t, token } = context
  const stored: Pairs = [['to', 'confirmed']]
  const state = stateOf(context, again, ['check_mail', 'mail'], stored)
  const effects = state.typed === stored ? undefined : again?.effects
  const audiences = Object.entries(text.audiences).map(([value, name]) => ({ value, label: t(name) }))
  const inside = html`${hidden({ revision: date.revision })}<p class="quiet">${t(text.writeAbout)}</p>
${choose(state, { name: 'to', label: t(text.to) }, audiences)}
${line(state, { name: 'subject', label: t(text.subject), attributes: html`type="text" maxlength="120" required` })}
${area(state, { name: 'message', id: 'mail-message', label: t(text.mailText), rows: 6, attributes: html`maxlength="5000" required` })}
${effects !== undefined && effectsNote(effects)}
<div class="buttons row"><button type="submit" name="act" value="check_mail">${t(text.checkMail)}</button>
${effects !== undefined && html`<button class="main" type="submit" name="act" value="mail">${t(text.send)}</button>`}</div>`
  return folded(t(text.write), formOf(datePathOf(date), token, inside), state.typed !== stored)
}

const peopleLinks = ({ t }: StaffContext, { event, date }: Shown): Html => {
  const query = new URLSearchParams({ occurrence: date.id })
  return html`<p class="buttons row"><a class="button" href="${pathOf(event)}/registrations?${String(query)}">${t(text.people)}</a> <a class="button" href="${pathOf(event)}/check-in?${String(query)}">${t(text.checkIn)}</a></p>`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const shown = await read(context)
  const { event, date } = shown
  const errors = errorsIn(again?.refusal, language, text.errors)
  const fields = ['starts_at', 'duration_minutes', 'reason', 'message', 'url', 'to', 'subject']
  const isOpen = date.status === 'scheduled' && !date.ended
  const title = t(text.cancelDate)
  return eventsPage(context, {
    title: t(text.dateTitle, { event: event.name, date: localText(date.starts_at, language) }),
    above: [listAbove(language), { path: pathOf(event), name: event.name }],
    refusal: again?.refusal,
    notice: noticeFor(again?.refusal, language, { errors, fields, refusals: eventRefusals }),
    body: html`<p class="course-head">${statusBadge(date, context)}</p>
${date.cancellation_reason !== null && html`<p dir="auto">${date.cancellation_reason}</p>`}
${event.status !== 'draft' && peopleLinks(context, shown)}
${isOpen && moveForm(context, shown, again)}
${event.status === 'published' && messageForm(context, shown, again)}
${recordingForm(context, shown, again)}
${isOpen && cancelForm(context, { action: datePathOf(date), revision: date.revision, again, title })}`,
  })
}

const act = async (context: StaffContext, date: DateShown, form: Pairs): Promise<string> => {
  const name = formField(form, 'act')
  const params = { occurrence_id: date.id }
  const revision = revisionIn(form)
  if (name === 'move') {
    await context.call({ operation: 'rescheduleOccurrence', params, body: timeIn(form), revision })
    return `${datePathOf(date)}?done=moved`
  }
  if (name === 'recording') {
    await context.call({
      operation: 'setOccurrenceRecording',
      params,
      body: { url: lineOrNull(form, 'url') },
      revision,
    })
    return `${datePathOf(date)}?done=recording#recording`
  }
  if (name === 'mail') {
    await context.call({ operation: 'mailRegistrations', params, body: messageIn(form) })
    return `${datePathOf(date)}?done=sent`
  }
  if (name !== 'cancel') throw new Refusal(formRefused, 'The form has no valid action.')
  await context.call({ operation: 'cancelOccurrence', params, body: termsIn(form), revision })
  return `${datePathOf(date)}?done=cancelled`
}

const checks = {
  check_move: (context: StaffContext, date: DateShown, form: Pairs) =>
    context.call({
      ...{ operation: 'rescheduleOccurrence', params: { occurrence_id: date.id }, body: timeIn(form), dryRun: true },
      returns: Occurrence,
    }),
  check_cancel: (context: StaffContext, date: DateShown, form: Pairs) =>
    context.call({
      ...{ operation: 'cancelOccurrence', params: { occurrence_id: date.id }, body: termsIn(form), dryRun: true },
      returns: Occurrence,
    }),
  check_mail: (context: StaffContext, date: DateShown, form: Pairs) =>
    context.call({
      ...{ operation: 'mailRegistrations', params: { occurrence_id: date.id }, body: messageIn(form), dryRun: true },
    }),
} as const

const check = async (
  context: StaffContext,
  name: keyof typeof checks,
  date: DateShown,
  form: Pairs,
): Promise<Reply> => {
  try {
    const { effects } = await checks[name](context, date, form)
    return await show(context, { form, effects: sentencesOf(effects, context) })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(context, { form, refusal })
  }
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const name = formField(form, 'act')
  if ((name === 'cancel' || name === 'mail') && context.isStaff) {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(context.request)
    if (isReply(recent)) return recent
  }
  const { date } = await read(context)
  if (name === 'check_move' || name === 'check_cancel' || name === 'check_mail') return check(context, name, date, form)
  return shownAgain(
    () => act(context, date, form),
    refusal => show(context, { form, refusal }),
  )
}

/** GET and POST /staff/events/:event/dates/:date: one date, which is moved, cancelled or gets a recording. */
export const eventDate: StaffSection = {
  // The event leads to each of them.
  entries: [],
  pages: [
    page(`GET ${PATH}/:event/dates/:date`, teachers, context => show(context)),
    form(`POST ${PATH}/:event/dates/:date`, teachers, submit),
  ],
}
