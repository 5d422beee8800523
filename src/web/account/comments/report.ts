import { Comment, reportReasons } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, mainButton, noticeFor, page, select, shownAgain } from '#src/web/page/index.ts'
import { type AccountContext, owner } from '../parts.ts'
import { typedBody } from './body.ts'

const { refusals, report: text } = texts.account.comments.common

const readParams = ({ params }: AccountContext) => ({ comment_id: params.comment ?? '' })

const show = async (context: AccountContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, form, call, frame, language } = context
  const comment = await call({ operation: 'getComment', params: readParams(context), returns: Comment })
  const choices = reportReasons.map(value => ({ value, label: t(text.reasons[value]) }))
  const inside = html`${select('reason', t(texts.words.reason), formField(typed, 'reason') || 'spam', choices)}
<label for="note">${t(text.note)}</label>
<textarea id="note" name="note" rows="4" maxlength="1000" dir="auto">
${formField(typed, 'note')}</textarea>
${mainButton(t(texts.words.report))}`
  return frame({
    title: t(text.title),
    ...noticeFor(refusal, language, { said: { ...refusals, invalid_body: text.invalid } }),
    body: html`<blockquote class="comment-words" dir="auto">${{ html: comment.body_html }}</blockquote>
<p>${t(text.about)}</p>
${form(inside)}`,
  })
}

/** GET and POST /account/comments/:comment/report. */
export const reportCommentPages = [
  page('GET /account/comments/:comment/report', owner, context => show(context)),
  form('POST /account/comments/:comment/report', owner, (context, typed) =>
    shownAgain(
      async () => {
        const body = { reason: formField(typed, 'reason'), note: typedBody(typed, 'note') }
        await context.call({ operation: 'reportComment', params: readParams(context), body })
        return '/account/comments?done=reported'
      },
      refusal => show(context, typed, refusal),
    ),
  ),
]
