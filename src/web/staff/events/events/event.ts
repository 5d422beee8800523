import { LecturerPage } from '#src/areas/courses/index.ts'
import { Event, OccurrencePage, RecurrenceChange, TicketTypePage } from '#src/areas/events/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actBesideText,
  actForms,
  type Choice,
  type FieldSet,
  type FormWithFiles,
  fileForm,
  hidden,
  page,
  renderConflict,
  submitAct,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { picturePart, storeFile } from '../../files/uploads/index.ts'
import { saleNote } from '../../sale-note.ts'
import type { StaffSection } from '../../section.ts'
import { previewButton } from '../../texts/index.ts'
import { checkConfirmed, eventActs } from './acts.ts'
import { eventFields, readSettings, startFields } from './fields.ts'
import { buildPath, type EventShown, eventsPage, localText, PATH, readManaged, statusBadge } from './frame.ts'
import { datesPart, type EventView, publicationPart, ticketsPart } from './parts.ts'

const { acts, common: text } = texts.staff.events

const ALL: Pairs = [['limit', '100']]

/** The groups and plans for whom something can be. */
export const readGroupsAndPlans = async ({ call }: TeacherContext) => {
  const [groups, plans] = await Promise.all([
    call({ operation: 'listGroups', query: ALL, returns: GroupPage }),
    call({ operation: 'listMembershipPlans', query: ALL, returns: MembershipPlanPage }),
  ])
  const named = (one: { readonly id: string; readonly name: string }): Choice => ({ value: one.id, label: one.name })
  return { group_ids: groups.data.map(named), plan_ids: plans.data.map(named) }
}

// What can be chosen; staff alone choose hosts, groups and plans.
const readChoices = async (context: TeacherContext): Promise<Readonly<Record<string, readonly Choice[]>>> => {
  const course_id = context.courses.map(({ id, name }) => ({ value: id, label: name }))
  if (!context.isStaff) return { course_id }
  const [lecturers, others] = await Promise.all([
    context.call({ operation: 'listLecturers', query: ALL, returns: LecturerPage }),
    readGroupsAndPlans(context),
  ])
  const lecturer_ids = lecturers.data.map(({ id, display_name: label }) => ({ value: id, label }))
  return { course_id, lecturer_ids, ...others }
}

// Staff alone choose groups, plans and hosts.
const listNames = ({ isStaff }: TeacherContext) =>
  eventFields.names.filter(name => isStaff || !['group_ids', 'plan_ids', 'lecturer_ids'].includes(name))

const settingsForm = async (context: TeacherContext, { event, again }: EventView): Promise<Html> => {
  const { t, form, isStaff, language } = context
  // The form is sent with a picture, too.
  const isAgain = again?.act === 'save' || again?.act === 'picture'
  const typed = isAgain ? again.typed : eventFields.pairs(event, context)
  const isStale = !isAgain || again.refusal?.problem.code === 'precondition_failed'
  const state = { language, typed, refusal: isAgain ? again.refusal : undefined, choices: await readChoices(context) }
  const rows = (...names: (typeof eventFields.names)[number][]): Html => eventFields.rows(state, names)
  return form(
    html`${hidden({ revision: (!isStale && formField(typed, 'revision')) || event.revision })}
${rows('name', 'description', 'kind')}<fieldset><legend>${t(text.place)}</legend>
${rows('place_name', 'address', 'place_note', 'meeting_url')}</fieldset>
${rows('capacity', 'waitlist', 'approval_holds_seat', 'visibility')}${isStaff && rows('group_ids', 'plan_ids', 'lecturer_ids')}${rows('course_id')}
<p><a href="${buildPath(event)}/questions">${t(text.questions, { n: event.questions.length })}</a></p>
${rows('cancellation_until', 'refund_rule', 'slug', 'comments')}<details class="filters"><summary>${t(text.more)}</summary>
${rows('seo_title', 'seo_description', 'external_id')}</details>
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(acts.save.button)}</button></div>
${previewButton(t, 'description')}`,
    undefined,
    { id: 'settings', hasFiles: true, draft: 'event' },
  )
}

const findFields = (again: Again | undefined): FieldSet<Record<string, unknown>> | undefined => {
  const act = Object.entries(eventActs).find(([name]) => name === again?.act)?.[1]
  return act !== undefined && 'fields' in act ? act.fields : undefined
}

const linkActions = (event: EventShown, { t }: TeacherContext): Html => {
  const path = buildPath(event)
  return html`${event.status === 'published' && html`<a class="button" href="/events/${event.slug}">${t(text.onSite)}</a>`}${
    event.status !== 'draft' &&
    html`<a class="button" href="${path}/registrations">${t(texts.words.registrations)}</a><a class="button" href="${path}/check-in">${t(texts.words.checkPeopleIn)}</a>`
  }`
}

const show = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, call, isStaff } = context
  const event = await readManaged(context)
  const params = { event_id: event.id }
  const coming: Pairs = [['ended', 'false'], ...ALL]
  const [dates, tickets, { currency }] = await Promise.all([
    call({ operation: 'listOccurrences', params, query: coming, returns: OccurrencePage }),
    call({ operation: 'listTicketTypes', params, query: ALL, returns: TicketTypePage }),
    call({ operation: 'getSchool', returns: School }),
  ])
  const view = { event, dates: dates.data, hasMore: dates.has_more, tickets: tickets.data, currency, again }
  const { copy, cancel, delete: remove } = eventActs
  const canChange = isStaff || event.status === 'draft'
  const stored = { copy: startFields.pairs(event, context), cancel: [['refund', 'yes']] as const }
  return eventsPage(context, {
    title: event.name,
    again,
    fields: findFields(again),
    badge: statusBadge(event, context),
    actions: linkActions(event, context),
    hasCards: true,
    body: html`<div class="split">
<div class="stack">${datesPart(context, view)}${ticketsPart(context, view)}${await saleNote(context, tickets.data)}${
      canChange
        ? html`${renderConflict(context, again && { ...again, stored: eventFields.pairs(event, context), fields: eventFields, within: 'settings' })}<section class="card"><h2>${t(texts.words.settings)}</h2>${await settingsForm(context, view)}</section>`
        : html`<p class="note">${t(text.readOnly)}</p>`
    }</div>
<div class="stack">${publicationPart(context, view)}${canChange && picturePart(context, { ...event, purpose: 'event', picture: event.image, isSeen: true, within: 'settings' }, text)}${actForms(context, { acts: { copy, cancel, delete: remove }, item: event, texts: acts, refused: again, stored })}</div>
</div>`,
  })
}

// What a change of the dates would do is shown by a dry run of it.
const changesOfDates = async ({ call, t, language }: TeacherContext, tried: PageCall<undefined>): Promise<string[]> => {
  const { result } = await call({ ...tried, dryRun: true, returns: RecurrenceChange })
  if (result === undefined) return []
  const moved = result.moved.map(({ starts_at: at }) => localText(at, language)).join('; ')
  return [
    ...(['added', 'removed', 'changed', 'kept'] as const).flatMap(name =>
      result[name].length === 0 ? [] : [t(text.preview[name], { n: result[name].length })],
    ),
    ...(moved === '' ? [] : [t(text.preview.moved, { dates: moved })]),
  ]
}

// The part of the page that an act is about.
const ANCHORS: Readonly<Record<string, string>> = {
  remove_picture: '#picture',
  publish: '#publication',
  unpublish: '#publication',
  dates: '#dates',
  ticket: '#tickets',
  remove_ticket: '#tickets',
}

const submit = async (context: TeacherContext, { form: typed, files }: FormWithFiles): Promise<Reply> => {
  const { call, parts, person, isStaff } = context
  if (formField(typed, 'act') === TAKE_THEIRS) return show(context, { act: TAKE_THEIRS, typed })
  const event = await readManaged(context)
  const { currency } = await call({ operation: 'getSchool', returns: School })
  const image = files.find(({ field }) => field === 'file')
  const pictureIn = async () => ({ image_file_id: await storeFile(parts, person, image, 'event') })
  const setPicture = async (asked: PageCall<undefined>): Promise<string> => {
    await call({ ...asked, body: await pictureIn() })
    return `${buildPath(event)}?done=picture#picture`
  }
  const perform = async (act: string, asked: PageCall<undefined>): Promise<string | Reply> => {
    const path = buildPath(event)
    switch (act) {
      case 'save':
        await call({
          ...asked,
          body: { ...readSettings(asked.body, event, isStaff), ...(image && (await pictureIn())) },
        })
        break
      case 'picture': {
        const text = { names: listNames(context), stored: eventFields.pairs(event, context) }
        const showText = (typed: Pairs) => show(context, { act: 'save', typed })
        return actBesideText(context, typed, text, { act: () => setPicture(asked), show: showText })
      }
      case 'copy':
        return `${buildPath(await call({ ...asked, returns: Event }))}?done=copy`
      case 'delete':
        checkConfirmed(typed, event)
        await call(asked)
        return `${PATH}?done=delete`
      default:
        await call(asked)
    }
    return `${path}?done=${act}${ANCHORS[act] ?? ''}`
  }
  return submitAct(
    context,
    { acts: eventActs, typed, params: { event_id: event.id }, reader: { ...context, currency } },
    {
      perform,
      show: again => show(context, again),
      listEffects: (act, tried) => (act === 'dates' ? changesOfDates(context, tried) : undefined),
    },
  )
}

/** GET and POST /staff/events/:event: an event with its dates, tickets, settings and publication. */
export const eventEditor: StaffSection = {
  // The list leads to each of them.
  pages: [
    page(`GET ${PATH}/:event`, teachers, context => show(context)),
    fileForm(`POST ${PATH}/:event`, teachers, submit),
  ],
}
