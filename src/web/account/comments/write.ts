import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Comment, CommentableSubject } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, mainButton, redirect } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { commentsText } from './text.ts'
import { type CommentVisit, commentsForm, commentsPage, refusalFor, refusedAs } from './visit.ts'

const { write: text } = commentsText

const PATH = '/account/comments/new'

type Place = {
  readonly subject: Encoded<Static<typeof CommentableSubject>>
  readonly parent: Encoded<Static<typeof Comment>> | undefined
}

const placeOf = async ({ performAs, person }: CommentVisit, subject: string, parentId: string): Promise<Place> => ({
  subject: await performAs(person, {
    operation: 'getCommentSubject',
    params: { subject },
    returns: CommentableSubject,
  }),
  parent:
    parentId === ''
      ? undefined
      : await performAs(person, { operation: 'getComment', params: { comment_id: parentId }, returns: Comment }),
})

const addressOf = (subject: string, parent: string | undefined): string =>
  `${PATH}?${new URLSearchParams({ subject, ...(parent === undefined ? {} : { parent }) })}`

const placeIn = async (visit: CommentVisit): Promise<Place | undefined> => {
  const subject = visit.query.get('subject') ?? ''
  return subject === '' ? undefined : placeOf(visit, subject, visit.query.get('parent') ?? '')
}

const quoted = ({ parent }: Place, { language }: CommentVisit): Html | false =>
  parent !== undefined &&
  html`<p>${fill(text.replyTo, language, { name: parent.author?.name ?? '' })}</p>
<blockquote class="comment-words" dir="auto">${{ html: parent.body_html }}</blockquote>`

const formFor = ({ subject, parent }: Place, { language, token }: CommentVisit, typed: string): Html => {
  const inside = html`<input type="hidden" name="form_key" value="${randomUUID()}">
<label for="body">${fill(text.body, language)}</label>
<textarea id="body" name="body" rows="8" maxlength="5000" aria-describedby="body-hint" dir="auto" required>
${typed}</textarea>
<p class="quiet" id="body-hint">${fill(text.hint, language)}${subject.mode === 'approval' && ` ${fill(text.approval, language)}`}</p>
${mainButton(fill(text.button, language))}`
  return formOf(addressOf(subject.id, parent?.id), token, inside)
}

const show = (place: Place, visit: CommentVisit, typed = '', refusal?: Refusal): Reply => {
  const { language, request } = visit
  const { subject, parent } = place
  const isOpen = subject.mode === 'open' || subject.mode === 'approval'
  return framed({
    school: request.school,
    language,
    title: fill(parent === undefined ? text.title : text.reply, language),
    ...refusedAs(refusal, language),
    body: html`<p dir="auto">${fill(commentsText.on, language, { subject: subject.name })}</p>
${quoted(place, visit)}
${isOpen ? formFor(place, visit, typed) : html`<p class="note">${fill(text.closed, language)}</p>`}
<p class="quiet"><a href="${subject.path}">${fill(text.back, language, { subject: subject.name })}</a></p>`,
  })
}

const submit = async (visit: CommentVisit, form: Pairs): Promise<Reply> => {
  const { performAs, person } = visit
  const place = await placeIn(visit)
  if (place === undefined) return redirect('/account/comments')
  const words = formField(form, 'body').replaceAll('\r\n', '\n').trim()
  const body = { subject: place.subject.id, parent_id: place.parent?.id ?? null, body: words }
  const key = formField(form, 'form_key')
  const formKey = /^[\w-]{8,64}$/.test(key) ? { formKey: key } : {}
  const written: { id: string; status: string }[] = []
  const write = async () => {
    const call = { operation: 'createAccountComment', body, ...formKey, returns: Comment }
    written.push(await performAs(person, call))
  }
  const refusal = await refusalFor(write())
  const [comment] = written
  if (comment === undefined) return show(place, visit, words, refusal)
  return redirect(
    comment.status === 'pending' ? '/account/comments?done=pending' : `${place.subject.path}#${comment.id}`,
  )
}

/** GET and POST /account/comments/new: the form for a comment or a reply. */
export const writeCommentEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  commentsPage(`GET ${PATH}`, parts, async visit => {
    const place = await placeIn(visit)
    return place === undefined ? redirect('/account/comments') : show(place, visit)
  }),
  commentsForm(`POST ${PATH}`, parts, submit),
]
