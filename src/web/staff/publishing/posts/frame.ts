import type { Static } from 'typebox'
import type { Post } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, buildDoneTexts, doneIn, type FieldSet, noticeFor, readDone } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { staffText } from '../../pages/text.ts'

const { acts, common: text, list, postRefusals } = texts.staff.posts

/** A post as pages get it. */
export type PostShown = Encoded<Static<typeof Post>>

/** Where the list of posts is. */
export const PATH = '/staff/posts'

/** The address of a post on these pages. */
export const buildPath = ({ id }: { readonly id: string }): string => `${PATH}/${id}`

/** A status as a small label. */
export const statusBadge = ({ status }: Pick<PostShown, 'status'>, { t }: StaffContext): Html =>
  html`<span class="badge ${status}">${t(list.statuses[status])}</span>`

const done = { created: text.created, category: text.categoryDone, ...buildDoneTexts(acts) }

type PostsPage = {
  readonly title: string
  /** Whether it is the list, which other pages are below. */
  readonly isList?: boolean
  readonly again?: Pick<Again, 'refusal'> | undefined
  /** The fields that a refusal may be about. */
  readonly fields?: FieldSet<Record<string, unknown>> | undefined
  readonly body: Html
}

/** A page of the section of posts, with what was done or refused. */
export const postsPage = (context: StaffContext, page: PostsPage): Promise<Reply> => {
  const { t, language, request } = context
  const { title, isList = false, again, fields, body } = page
  const said = { ...staffText.refusals, ...fileRefusals, ...postRefusals }
  const notice =
    again?.refusal === undefined
      ? { notice: doneIn(done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: fields === undefined ? [] : [fields], said })
  return frameWithImages(context, {
    title,
    above: isList ? [] : [{ path: PATH, name: t(list.title) }],
    ...notice,
    body,
  })
}
