import type { Static } from 'typebox'
import { type Comment, CommentPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, redirect, timeOf } from '#src/web/page/index.ts'
import { backLink } from '../pages/account.ts'
import type { AccountPagesParts } from '../parts.ts'
import { commentsText as text } from './text.ts'
import { type CommentVisit, commentsForm, commentsPage, refusalFor, refusedAs } from './visit.ts'

const PATH = '/account/comments'

type Own = Encoded<Static<typeof Comment>>

const about = ({ id, revision }: Own, act: string): Html => html`<input type="hidden" name="act" value="${act}">
<input type="hidden" name="comment" value="${id}">
<input type="hidden" name="revision" value="${revision}">`

const editing = (comment: Own, { language, token }: CommentVisit): Html => {
  const inside = html`${about(comment, 'edit')}
<label class="unseen" for="body-${comment.id}">${fill(text.write.body, language)}</label>
<textarea id="body-${comment.id}" name="body" rows="5" maxlength="5000" required>
${comment.body}</textarea>
<div class="buttons"><button type="submit">${fill(text.save, language)}</button></div>`
  return html`<details><summary>${fill(text.edit, language)}</summary>
${formOf(PATH, token, inside)}
</details>`
}

const deleting = (comment: Own, { language, token }: CommentVisit): Html => {
  const inside = html`${about(comment, 'delete')}
<p class="quiet">${fill(text.deleteAbout, language)}</p>
<div class="buttons"><button type="submit">${fill(text.delete, language)}</button></div>`
  return html`<details><summary>${fill(text.delete, language)}</summary>
${formOf(PATH, token, inside)}
</details>`
}

const may = ({ allowed_actions: actions = [] }: Own, operation: string): boolean => actions.includes(operation)

const item = (comment: Own, visit: CommentVisit): Html => {
  const { language, viewer } = visit
  const { subject, status, hidden_reason: reason } = comment
  const name = subject.name === null ? fill(text.gone, language) : fill(text.on, language, { subject: subject.name })
  return html`<section class="card" aria-labelledby="${comment.id}">
<h2 id="${comment.id}" dir="auto">${name}</h2>
<p class="quiet">${fill(text.statuses[status], language)} · ${timeOf(new Date(comment.created_at), language, viewer)}</p>
${reason != null && html`<p class="note">${fill(text.hiddenFor, language, { reason })}</p>`}
<div class="comment-words" dir="auto">${{ html: comment.body_html }}</div>
${may(comment, 'updateAccountComment') && editing(comment, visit)}
${may(comment, 'deleteAccountComment') && deleting(comment, visit)}
</section>
`
}

const show = async (visit: CommentVisit, refusal?: Refusal): Promise<Reply> => {
  const { performAs, person, language, request, query } = visit
  const cursor = query.get('cursor')
  const page = await performAs(person, {
    operation: 'listAccountComments',
    query: cursor === null ? [] : [['cursor', cursor]],
    returns: CommentPage,
  })
  const next = page.next_cursor
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...(refusal === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedAs(refusal, language)),
    body: html`${page.data.length === 0 ? html`<p>${fill(text.none, language)}</p>` : page.data.map(one => item(one, visit))}
${next !== undefined && html`<p><a rel="next" href="${PATH}?${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a></p>`}
${backLink(language)}`,
  })
}

const callOf = (form: Pairs) => {
  const act = formField(form, 'act')
  if (act === 'delete') return { operation: 'deleteAccountComment', done: 'deleted' }
  if (act !== 'edit') throw new Refusal(formRefused, 'The form has no valid action.')
  const body = formField(form, 'body').replaceAll('\r\n', '\n').trim()
  return { operation: 'updateAccountComment', body: { body }, done: 'edited' }
}

const submit = async (visit: CommentVisit, form: Pairs): Promise<Reply> => {
  const { performAs, person } = visit
  const { done, ...call } = callOf(form)
  const revision = Number(formField(form, 'revision'))
  if (!Number.isSafeInteger(revision)) throw new Refusal(formRefused, 'The form does not say what it is about.')
  const params = { comment_id: formField(form, 'comment') }
  const refusal = await refusalFor(performAs(person, { ...call, params, revision }))
  return refusal === undefined ? redirect(`${PATH}?done=${done}`) : show(visit, refusal)
}

/** GET and POST /account/comments: one's own comments, to edit and delete. */
export const ownCommentEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  commentsPage(`GET ${PATH}`, parts, visit => show(visit)),
  commentsForm(`POST ${PATH}`, parts, submit),
]
