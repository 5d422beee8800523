import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Comment, CommentableSubject } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, formKeyIn, hidden, mainButton, noticeFor, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { type AccountContext, owner } from '../parts.ts'
import { typedBody } from './body.ts'

const { on, refusals, write: text } = texts.account.comments.common

const PATH = '/account/comments/new'

type Place = {
  readonly subject: Encoded<Static<typeof CommentableSubject>>
  readonly parent: Encoded<Static<typeof Comment>> | undefined
}

const readPlace = async ({ call, query }: AccountContext): Promise<Place | undefined> => {
  const [subject, parent] = [query.get('subject') ?? '', query.get('parent') ?? '']
  if (subject === '') return undefined
  return {
    subject: await call({ operation: 'getCommentSubject', params: { subject }, returns: CommentableSubject }),
    parent:
      parent === ''
        ? undefined
        : await call({ operation: 'getComment', params: { comment_id: parent }, returns: Comment }),
  }
}

const buildAddress = ({ subject, parent }: Place): string =>
  `${PATH}?${new URLSearchParams({ subject: subject.id, ...(parent === undefined ? {} : { parent: parent.id }) })}`

const quoted = ({ parent }: Place, { t }: AccountContext): Html | false =>
  parent !== undefined &&
  html`<p>${t(text.replyTo, { name: parent.author?.name ?? '' })}</p>
<blockquote class="comment-words" dir="auto">${{ html: parent.body_html }}</blockquote>`

const formFor = (place: Place, typed: string, { t, form }: AccountContext): Html => {
  const inside = html`${hidden({ form_key: randomUUID() })}<label for="body">${t(text.body)}</label>
<textarea id="body" name="body" rows="8" maxlength="5000" aria-describedby="body-hint" dir="auto" required>
${typed}</textarea>
<p class="quiet" id="body-hint">${t(text.hint)}${place.subject.mode === 'approval' && ` ${t(text.approval)}`}</p>
${mainButton(t(texts.words.send))}`
  return form(inside, buildAddress(place))
}

const show = (place: Place, context: AccountContext, typed = '', refusal?: Refusal): Reply => {
  const { t, frame, language } = context
  const { subject, parent } = place
  const isOpen = subject.mode === 'open' || subject.mode === 'approval'
  return frame({
    title: t(parent === undefined ? texts.words.writeComment : text.reply),
    ...noticeFor(refusal, language, { said: refusals }),
    body: html`<p dir="auto">${t(on, { subject: subject.name })}</p>
${quoted(place, context)}
${isOpen ? formFor(place, typed, context) : html`<p class="note">${t(text.closed)}</p>`}
<p class="quiet"><a href="${subject.path}">${t(text.back, { subject: subject.name })}</a></p>`,
  })
}

/** GET and POST /account/comments/new: the form for a comment or a reply. */
export const writeCommentPages = [
  page(`GET ${PATH}`, owner, async context => {
    const place = await readPlace(context)
    return place === undefined ? redirect('/account/comments') : show(place, context)
  }),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const place = await readPlace(context)
    if (place === undefined) return redirect('/account/comments')
    const { subject, parent } = place
    const words = typedBody(typed)
    return shownAgain(
      async () => {
        const body = { subject: subject.id, parent_id: parent?.id ?? null, body: words }
        const call = { operation: 'createAccountComment', body, ...formKeyIn(typed), returns: Comment }
        const { id, status } = await context.call(call)
        return status === 'pending' ? '/account/comments?done=pending' : `${subject.path}#${id}`
      },
      async refusal => show(place, context, words, refusal),
    )
  }),
]
