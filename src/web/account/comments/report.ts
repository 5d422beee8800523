import { Comment, reportReasons } from '#src/areas/publishing/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { formOf, framed, mainButton, redirect, select } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { commentsText } from './text.ts'
import { type CommentVisit, commentsForm, commentsPage, refusalFor, refusedAs } from './visit.ts'

const { report: text } = commentsText

const PATH = '/account/comments/:comment/report'

const idOf = ({ request }: CommentVisit): string => request.params.comment ?? ''

const show = async (visit: CommentVisit, form: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { performAs, person, language, request, token } = visit
  const id = idOf(visit)
  const comment = await performAs(person, { operation: 'getComment', params: { comment_id: id }, returns: Comment })
  const choices = reportReasons.map(value => ({ value, label: fill(text.reasons[value], language) }))
  const inside = html`${select('reason', fill(text.reason, language), formField(form, 'reason') || 'spam', choices)}
<label for="note">${fill(text.note, language)}</label>
<textarea id="note" name="note" rows="4" maxlength="1000" dir="auto">
${formField(form, 'note')}</textarea>
${mainButton(fill(text.button, language))}`
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...refusedAs(refusal, language, text.invalid),
    body: html`<blockquote class="comment-words" dir="auto">${{ html: comment.body_html }}</blockquote>
<p>${fill(text.about, language)}</p>
${formOf(`/account/comments/${id}/report`, token, inside)}`,
  })
}

const submit = async (visit: CommentVisit, form: Pairs): Promise<Reply> => {
  const { performAs, person } = visit
  const body = { reason: formField(form, 'reason'), note: formField(form, 'note').replaceAll('\r\n', '\n').trim() }
  const call = { operation: 'reportComment', params: { comment_id: idOf(visit) }, body }
  const refusal = await refusalFor(performAs(person, call))
  return refusal === undefined ? redirect('/account/comments?done=reported') : show(visit, form, refusal)
}

/** GET and POST /account/comments/:comment/report. */
export const reportCommentEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  commentsPage(`GET ${PATH}`, parts, visit => show(visit)),
  commentsForm(`POST ${PATH}`, parts, submit),
]
