import { FormSubmission } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { folded, form, hidden, page, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { buildNotice, readForm, readParams } from './edit.ts'
import type { FormShown } from './form.rules.ts'

const { common: text } = texts.staff.schoolForms

const readRef = (context: StaffContext) => ({
  ...readParams(context),
  submission_id: context.params.submission ?? '',
})

const read = (context: StaffContext) =>
  context.call({ operation: 'getFormSubmission', params: readRef(context), returns: FormSubmission })

type Shown = Awaited<ReturnType<typeof read>>
type Answer = Shown['answers'][number]

// The version that was answered may have had other options than the newest one, whose ids are shown then.
const answerText = ({ t }: StaffContext, form: FormShown, answer: Answer): Html => {
  const { type, value, file, text: agreed } = answer
  if (type === 'file')
    return file == null ? html`${t(text.noFile)}` : html`<a href="${file.url}"><bdi>${file.name}</bdi></a>`
  if (type === 'consent') return html`${t(text.yes, { text: agreed ?? '' })}`
  const options = form.fields.find(({ id }) => id === answer.field_id)?.options ?? []
  const getLabel = (id: string): string => options.find(option => option.id === id)?.label ?? id
  if (Array.isArray(value)) return html`<bdi>${value.map(getLabel).join(', ')}</bdi>`
  return html`<bdi>${type === 'choice' ? getLabel(String(value)) : String(value ?? '')}</bdi>`
}

const answerRow = (context: StaffContext, form: FormShown, answer: Answer): Html => {
  const label = form.fields.find(({ id }) => id === answer.field_id)?.label ?? answer.field_id
  return html`<div><dt><bdi>${label}</bdi></dt><dd class="lines">${answerText(context, form, answer)}</dd></div>\n`
}

const marking = ({ t, form }: StaffContext, { status }: Shown): Html => {
  const button = (value: string, label: string): Html =>
    html`<button type="submit" name="status" value="${value}">${label}</button>`
  const inside = html`${hidden({ act: 'mark' })}<div class="buttons row">${status !== 'spam' && button('spam', t(text.markSpam))}${status !== 'received' && button('received', t(text.markReceived))}</div>`
  return form(inside)
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, time } = context
  const [form, one] = await Promise.all([readForm(context), read(context)])
  const removal = html`${hidden({ act: 'delete' })}<div class="buttons"><button type="submit">${t(texts.words.delete)}</button></div>`
  return context.frame({
    title: form.title,
    ...buildNotice(context, undefined),
    body: html`<p class="quiet">${time(one.submitted_at)} · ${t(text.statuses[one.status])} · ${t(text.version, { number: one.form_version })}</p>
<dl class="facts">
${one.answers.map(answer => answerRow(context, form, answer))}</dl>
${marking(context, one)}
${folded(t(text.deleteAnswer), context.form(removal))}
<p class="quiet"><a href="/staff/forms/${form.id}/submissions">${t(text.backToAnswers)}</a></p>`,
  })
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act === 'mark') {
    const body = { status: formField(form, 'status') }
    await context.call({ operation: 'markSubmission', params: readRef(context), body })
    return redirect(`${context.request.path}?done=marked`)
  }
  if (act !== 'delete') throw new Refusal(formRefused, 'The form has no valid action.')
  const { form_id, submission_id } = readRef(context)
  await context.call({
    operation: 'deleteSubmissions',
    params: { form_id },
    body: { submission_ids: [submission_id] },
  })
  return redirect(`/staff/forms/${form_id}/submissions?done=answer_deleted`)
}

/** GET and POST /staff/forms/:id/submissions/:submission: what somebody answered. */
export const submissionDetails: StaffSection = {
  // The list of answers leads to each of them.
  pages: [
    page('GET /staff/forms/:id/submissions/:submission', staff, show),
    form('POST /staff/forms/:id/submissions/:submission', staff, submit),
  ],
}
