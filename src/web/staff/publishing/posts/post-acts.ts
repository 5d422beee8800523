import { Post } from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { instantOf, isLocalTime } from '#src/kit/local-time.ts'
import { type FormFile, formKeyIn, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { lineIn } from '../../forms/values.ts'
import { PATH, type PostShown, pathOf } from './frame.ts'
import { bodyIn, commaList } from './post-form.ts'

/** What a form about a post asks for; returns the address to lead to. */
type PostAct = (
  context: StaffContext,
  post: PostShown,
  sent: { readonly form: Pairs; readonly files: readonly FormFile[] },
) => Promise<string>

// A local time that the clocks skip is an hour later, and the first of two that they repeat counts.
const instantIn = async (context: StaffContext, form: Pairs): Promise<string> => {
  const local = lineIn(form, 'at').slice(0, 16)
  if (!isLocalTime(local)) refuseInvalid([{ pointer: '/at', code: 'local_time', message: 'is not a time' }])
  const { time_zone } = await context.call({ operation: 'getSchool', returns: School })
  return instantOf({ local, time_zone }).toISOString()
}

const change = async (context: StaffContext, post: PostShown, form: Pairs, body: object): Promise<void> => {
  const params = { post_id: post.id }
  await context.call({ operation: 'updatePost', params, body, revision: revisionIn(form) })
}

/** The body of the mailing that a form asks for. */
export const mailingIn = (form: Pairs) =>
  formField(form, 'audience') === 'tags' ? { audience: 'tags', tags: commaList(form, 'tags') } : { audience: 'all' }

const moving =
  (operation: string, done: string): PostAct =>
  async (context, post, { form }) => {
    const body = operation === 'publishPost' ? { body: {} } : {}
    await context.call({ operation, params: { post_id: post.id }, ...body, revision: revisionIn(form) })
    return `${pathOf(post)}?done=${done}#publication`
  }

const acts: Readonly<Record<string, PostAct>> = {
  save: async (context, post, { form }) => {
    await change(context, post, form, bodyIn(form))
    return `${pathOf(post)}?done=saved`
  },
  cover: async (context, post, { form, files }) => {
    const image = files.find(({ field }) => field === 'file')
    await change(context, post, form, { cover_file_id: await storeFile(context.parts, context.person, image, 'post') })
    return `${pathOf(post)}?done=uploaded#cover`
  },
  remove_cover: async (context, post, { form }) => {
    await change(context, post, form, { cover_file_id: null })
    return `${pathOf(post)}?done=removed#cover`
  },
  publish: moving('publishPost', 'published'),
  unpublish: moving('unpublishPost', 'unpublished'),
  archive: moving('archivePost', 'archived'),
  unarchive: moving('unarchivePost', 'unpublished'),
  schedule: async (context, post, { form }) => {
    const body = { at: await instantIn(context, form) }
    const params = { post_id: post.id }
    await context.call({ operation: 'publishPost', params, body, revision: revisionIn(form) })
    return `${pathOf(post)}?done=scheduled#publication`
  },
  restore: async (context, post, { form }) => {
    const params = { post_id: post.id, number: formField(form, 'version') }
    await context.call({ operation: 'restorePostVersion', params, revision: revisionIn(form) })
    return `${pathOf(post)}?done=restored`
  },
  mail: async (context, post, { form }) => {
    await context.call({ operation: 'mailPost', params: { post_id: post.id }, body: mailingIn(form) })
    return `${pathOf(post)}?done=mailed#mailing`
  },
  copy: async (context, post, { form }) => {
    const params = { post_id: post.id }
    const copy = await context.call({ operation: 'copyPost', params, body: {}, ...formKeyIn(form), returns: Post })
    return `${pathOf(copy)}?done=copied`
  },
  delete: async (context, post, { form }) => {
    if (lineIn(form, 'confirm') !== post.title)
      refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not the title of the post' }])
    await context.call({ operation: 'deletePost', params: { post_id: post.id }, revision: revisionIn(form) })
    return `${PATH}?done=deleted`
  },
}

/** What a form asks for. Refuses one without a valid action. */
export const actOf = (form: Pairs): PostAct => {
  const name = formField(form, 'act')
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}
