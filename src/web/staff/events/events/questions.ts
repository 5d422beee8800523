import { randomBytes } from 'node:crypto'
import { fieldTypes } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { fieldCards, fieldsIn, rearranged, storedFields, typedFields } from '../../publishing/forms/index.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath, eventsPage, PATH, readManaged } from './frame.ts'

const { common: text } = texts.staff.events

const ROUTE = `${PATH}/:event/questions` as const

// People answer while they register or buy, so nothing is uploaded and no link fills anything in.
const TYPES = fieldTypes.filter(type => type !== 'file' && type !== 'hidden')

type Sent = {
  readonly form: Pairs
  readonly fields: ReturnType<typeof typedFields>
  readonly refusal?: Refusal
}

const show = async (context: StaffContext, sent?: Sent): Promise<Reply> => {
  const { t, language } = context
  const event = await readManaged(context)
  const refusal = sent?.refusal
  const isStale = sent === undefined || refusal?.problem.code === 'precondition_failed'
  const revision = isStale ? event.revision : formField(sent.form, 'revision')
  const fields = sent?.fields ?? storedFields({ fields: event.questions })
  // The first button is the one that Enter presses.
  const inside = html`${hidden({ revision })}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true">${t(texts.words.save)}</button>
${fieldCards({ fields, language, types: TYPES })}<div class="buttons"><button type="submit" name="act" value="add" formnovalidate>${t(texts.words.addQuestion)}</button>
<button class="main" type="submit" name="act" value="save">${t(texts.words.save)}</button></div>`
  return eventsPage(context, {
    title: t(text.questionsTitle),
    parents: [{ path: buildPath(event), name: event.name }],
    again: sent,
    body: html`<p class="quiet">${t(text.questionsAbout)}</p>
${context.form(inside, undefined, { id: 'questions', draft: 'questions', again: 'again', isUnsaved: sent !== undefined })}`,
  })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const typed = typedFields(form)
  const moved = rearranged(typed, formField(form, 'act'), `q_${randomBytes(5).toString('hex')}`)
  if (moved !== undefined) return show(context, { form, fields: moved })
  const event = await readManaged(context)
  const work = async () => {
    const body = { questions: fieldsIn(form, context.language) }
    const params = { event_id: event.id }
    await context.call({ operation: 'updateEvent', params, body, revision: revisionIn(form) })
    return `${buildPath(event)}?done=save`
  }
  return shownAgain(work, refusal => show(context, { form, fields: typed, refusal }))
}

/** GET and POST /staff/events/:event/questions: what people are asked who register. */
export const eventQuestions: StaffSection = {
  // The event leads to each of them.
  pages: [page(`GET ${ROUTE}`, teachers, context => show(context)), form(`POST ${ROUTE}`, teachers, submit)],
}
