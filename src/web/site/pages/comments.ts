import type { Static } from 'typebox'
import type { CommentPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatDay } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

const text = texts.site.comment

type CommentView = Encoded<Static<typeof CommentPage>>['data'][number]

/** The comments on something, below its page. */
type CommentsPart = {
  /** The id of the post, course, lesson or event on the wire. */
  readonly subjectId: string
  /** In the order in which they were written. */
  readonly comments: readonly CommentView[]
  /** Whether there are earlier ones, which are not shown. */
  readonly hasMore: boolean
  /** Whether new ones are accepted. */
  readonly isOpen: boolean
  /** Who reads them, by their id on the wire; unset for everybody. */
  readonly readerId?: string
  readonly language: Language
  readonly timeZone: string
}

const DEEPEST = 3

const linkTo = (part: CommentsPart, parentId?: string): string => {
  const parent = parentId === undefined ? {} : { parent: parentId }
  return `/account/comments/new?${new URLSearchParams({ subject: part.subjectId, ...parent })}`
}

const renderRole = ({ author }: CommentView, { language }: CommentsPart): Html | false => {
  const role = author?.role
  return (
    (role === 'lecturer' || role === 'staff') &&
    html` <span class="comment-role">${fill(text.roles[role], language)}</span>`
  )
}

const renderActs = (comment: CommentView, part: CommentsPart): Html => {
  const { language, isOpen, readerId } = part
  const name = comment.author?.name ?? ''
  const reply = fill(text.replyTo, language, { name })
  const report = fill(text.reportOf, language, { name })
  const act =
    comment.author !== null && comment.author.id === readerId
      ? html`<a href="/account/comments#${comment.id}">${fill(text.own, language)}</a>`
      : html`<a href="/account/comments/${comment.id}/report" rel="nofollow" aria-label="${report}">${fill(text.report, language)}</a>`
  return html`<p class="comment-acts">${isOpen && comment.depth < DEEPEST && html`<a href="${linkTo(part, comment.id)}" rel="nofollow" aria-label="${reply}">${fill(text.reply, language)}</a> `}${act}</p>`
}

const renderWords = (comment: CommentView, part: CommentsPart): Html => {
  const { language, timeZone } = part
  const { author, status, edited_at: editedAt } = comment
  if (author === null || status !== 'published') return html`<p class="comment-gone">${fill(text.gone, language)}</p>`
  return html`<p class="comment-author"><bdi>${author.name}</bdi>${renderRole(comment, part)} <span class="comment-time"><time datetime="${comment.created_at}">${formatDay(comment.created_at, timeZone, language)}</time>${editedAt !== null && html` · ${fill(text.edited, language)}`}</span></p>
<div class="comment-words" dir="auto">${{ html: comment.body_html }}</div>
${renderActs(comment, part)}`
}

type Below = ReadonlyMap<string | null, readonly CommentView[]>

const renderList = (comments: readonly CommentView[], below: Below, part: CommentsPart): Html | false =>
  comments.length > 0 &&
  html`<ol class="comments">
${comments.map(
  comment => html`<li class="comment" id="${comment.id}">
${renderWords(comment, part)}
${renderList(below.get(comment.id) ?? [], below, part)}</li>
`,
)}</ol>`

// A reply whose parent is not shown stands for itself.
const belowIn = (comments: readonly CommentView[]): Below => {
  const ids = new Set(comments.map(({ id }) => id))
  return Map.groupBy(comments, ({ parent_id: id }) => (id !== null && ids.has(id) ? id : null))
}

/** The comments on something with links to write, answer and report; false where there are none and none is accepted. */
export const commentsPart = (part: CommentsPart): Html | false => {
  const { comments, language, isOpen, hasMore } = part
  if (comments.length === 0 && !isOpen) return false
  const below = belowIn(comments)
  return html`<section class="comment-section" aria-labelledby="comments">
<h2 id="comments">${fill(text.title, language)}</h2>
${hasMore && html`<p class="comment-gone">${fill(text.newest, language)}</p>`}
${renderList(below.get(null) ?? [], below, part)}
${isOpen && html`<p class="actions"><a class="button" href="${linkTo(part)}" rel="nofollow">${fill(text.write, language)}</a></p>`}
</section>`
}
