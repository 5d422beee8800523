import type { Static } from 'typebox'
import type { Post } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { pageHeaders } from '#src/kit/html-page.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import { doneIn, doneOf, type Framed, framed } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { refusedIn } from '../../pages/refused.ts'
import { postRefusals, postsText as text } from './text.ts'

/** A post as pages get it. */
export type PostShown = Encoded<Static<typeof Post>>

/** Where the list of posts is. */
export const PATH = '/staff/posts'

/** The address of a post on these pages. */
export const pathOf = ({ id }: { readonly id: string }): string => `${PATH}/${id}`

/** A status as a small label. */
export const statusBadge = ({ status }: Pick<PostShown, 'status'>, { t }: StaffContext): Html =>
  html`<span class="badge ${status}">${t(text.statuses[status])}</span>`

type PostsPage = {
  readonly title: string
  /** Whether the list of posts is above the page. */
  readonly isBelow: boolean
  readonly refusal?: Refusal | undefined
  /** The notice and status where the refusal is shown at the fields. */
  readonly notice?: Pick<Framed, 'notice' | 'status'>
  readonly body: Html
}

const crumbs = ({ t }: StaffContext): Html => html`<nav class="crumbs" aria-label="${t(text.path)}"><ol>
<li><a href="${PATH}">${t(text.title)}</a></li>
</ol></nav>
`

/** A wide page of the section of posts; images may come from the store of the files. */
export const postsPage = async (context: StaffContext, page: PostsPage): Promise<Reply> => {
  const { request, language, parts } = context
  const { refusal, title, isBelow, body } = page
  const done = { notice: doneIn(text.done, doneOf(request), language) }
  const refused = page.notice ?? refusedIn(refusal, language, postRefusals)
  const reply = framed({
    school: request.school,
    language,
    title,
    isWide: true,
    ...(isBelow ? { above: crumbs(context) } : {}),
    ...(refusal === undefined ? done : refused),
    body,
  })
  const policy = String(pageHeaders['content-security-policy'])
  const images = `img-src 'self'${await bucketOrigin(parts.files)}`
  return {
    ...reply,
    headers: { ...reply.headers, 'content-security-policy': policy.replace("img-src 'self'", images) },
  }
}
