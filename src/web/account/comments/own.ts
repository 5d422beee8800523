import type { Static } from 'typebox'
import { type Comment, CommentPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, hidden, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { backLink } from '../links.ts'
import { type AccountContext, owner } from '../parts.ts'
import { pageLinks, readCursor } from '../turning.ts'
import { typedBody } from './body.ts'

const { common: text } = texts.account.comments

const PATH = '/account/comments'

type Own = Encoded<Static<typeof Comment>>

const actPart = (act: 'edit' | 'delete', { id, revision }: Own, inside: Html, { t, form }: AccountContext): Html => {
  const about = hidden({ act, comment: id, revision })
  const button = html`<div class="buttons"><button type="submit">${t(act === 'edit' ? texts.words.save : text.delete)}</button></div>`
  return html`<details><summary>${t(text[act])}</summary>
${form(html`${about}${inside}\n${button}`)}
</details>`
}

const editPart = (comment: Own, context: AccountContext): Html => {
  const { id, body } = comment
  const inside = html`<label class="unseen" for="body-${id}">${context.t(text.write.body)}</label>
<textarea id="body-${id}" name="body" rows="5" maxlength="5000" required>
${body}</textarea>`
  return actPart('edit', comment, inside, context)
}

const may = ({ allowed_actions: actions = [] }: Own, operation: string): boolean => actions.includes(operation)

const item = (comment: Own, context: AccountContext): Html => {
  const { t, time } = context
  const { id, subject, status, hidden_reason: reason } = comment
  const name = subject.name === null ? t(text.gone) : t(text.on, { subject: subject.name })
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}" dir="auto">${name}</h2>
<p class="quiet">${t(text.statuses[status])} · ${time(comment.created_at)}</p>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
<div class="comment-words" dir="auto">${{ html: comment.body_html }}</div>
${may(comment, 'updateAccountComment') && editPart(comment, context)}
${may(comment, 'deleteAccountComment') && actPart('delete', comment, html`<p class="quiet">${t(text.deleteAbout)}</p>`, context)}
</section>
`
}

const show = async (context: AccountContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, frame, language } = context
  const query = readCursor(context)
  const { data, next_cursor: next } = await call({ operation: 'listAccountComments', query, returns: CommentPage })
  return frame({
    title: t(texts.words.yourComments),
    ...buildOutcome(context, refusal, { said: text.refusals, done: text.done }),
    body: html`${data.length === 0 ? html`<p>${t(text.none)}</p>` : data.map(one => item(one, context))}
${pageLinks(context, next, { older: texts.words.nextPage })}
${backLink(language)}`,
  })
}

const buildCall = (typed: Pairs) => {
  const act = formField(typed, 'act')
  if (act === 'delete') return { operation: 'deleteAccountComment', done: 'deleted' }
  if (act !== 'edit') throw new Refusal(formRefused, 'The form has no valid action.')
  return { operation: 'updateAccountComment', body: { body: typedBody(typed) }, done: 'edited' }
}

/** GET and POST /account/comments: one's own comments, to edit and delete. */
export const ownCommentPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, (context, typed) => {
    const { done, ...act } = buildCall(typed)
    const params = { comment_id: formField(typed, 'comment') }
    const revision = revisionIn(typed)
    return shownAgain(
      async () => {
        await context.call({ ...act, params, revision })
        return `${PATH}?done=${done}`
      },
      refusal => show(context, refusal),
    )
  }),
]
