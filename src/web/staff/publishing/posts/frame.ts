import type { Static } from 'typebox'
import type { Post } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, buildDoneTexts, doneIn, type FieldSet, noticeFor, readDone } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type ConsoleView, statusPill } from '../../console/frame.ts'
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
  statusPill(t(list.statuses[status]), status)

const done = { created: text.created, category: text.categoryDone, ...buildDoneTexts(acts) }

type PostsPage = Omit<ConsoleView, 'notice'> & {
  readonly again?: Pick<Again, 'refusal'> | undefined
  /** The fields that a refusal may be about. */
  readonly fields?: FieldSet<Record<string, unknown>> | undefined
}

/** A page of the section of posts, with what was done or refused. */
export const postsPage = (context: StaffContext, page: PostsPage): Promise<Reply> => {
  const { language, request } = context
  const { again, fields, ...view } = page
  const said = { ...staffText.refusals, ...fileRefusals, ...postRefusals }
  const notice =
    again?.refusal === undefined
      ? { notice: doneIn(done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: fields === undefined ? [] : [fields], said })
  return frameWithImages(context, {
    ...view,
    ...notice,
  })
}
