import { Post, PostMailing, PostVersionPage } from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { type FormWithFiles, fileForm, isReply, isShown, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { textIn } from '../../forms/values.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
import { listCategories } from './categories.ts'
import { PATH, type PostShown, postsPage, statusBadge } from './frame.ts'
import { actOf, mailingIn } from './post-acts.ts'
import { coverPart, postForm } from './post-form.ts'
import { endingPart, mailingPart, publicationPart, versionsPart } from './publication-part.ts'
import type { Again, PostView } from './shown.ts'
import { postRefusals, postsText as text } from './text.ts'

const getPost = async (context: StaffContext): Promise<PostShown> => {
  const params = { post_id: context.request.params.post ?? '' }
  return context.call({ operation: 'getPost', params, returns: Post })
}

const FIELDS = [
  ...['title', 'subtitle', 'excerpt', 'body', 'slug', 'tags', 'seo_title', 'seo_description'],
  ...['canonical_url', 'external_id', 'at', 'confirm'],
]

const pageOf = (context: StaffContext, view: PostView): Promise<Reply> => {
  const { t, language, isStaff } = context
  const { post, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const mayChange = isStaff || post.status === 'draft'
  return postsPage(context, {
    title: post.title,
    isBelow: true,
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: postRefusals }),
    body: html`<p class="course-head">${statusBadge(post, context)}${post.status === 'published' && html` <a href="/account/posts/${post.slug}">${t(text.onSite)}</a>`}</p>
${mayChange ? html`${postForm(context, view)}\n${coverPart(context, view)}` : html`<p class="note">${t(text.readOnly)}</p>`}
${publicationPart(context, view)}
${mailingPart(context, view)}
${versionsPart(context, view, mayChange)}
${endingPart(context, view, mayChange)}`,
  })
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  // Whoever does not manage the post has no versions of it, and is told so.
  const post = await getPost(context)
  const params = { post_id: post.id }
  const [categories, versions, { time_zone: timeZone }] = await Promise.all([
    listCategories(context),
    context.call({ operation: 'listPostVersions', params, query: [['limit', '10']], returns: PostVersionPage }),
    context.call({ operation: 'getSchool', returns: School }),
  ])
  return pageOf(context, { post, categories, versions: versions.data, timeZone, again })
}

// The text is shown by a dry run of the operation that would store it.
const preview = async (context: StaffContext, post: PostShown, form: Pairs): Promise<Reply> => {
  const { parts, person } = context
  const body = { body: textIn(form, 'body') }
  const call = { operation: 'updatePost', params: { post_id: post.id }, body, dryRun: true, returns: Post } as const
  try {
    const { result } = await parts.performAs(person, call)
    return await show(context, { form, preview: result?.body_html ?? '' })
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.problem.status !== 422) throw refusal
    return show(context, { form, refusal })
  }
}

const count = async (context: StaffContext, post: PostShown, form: Pairs): Promise<Reply> => {
  const { parts, person } = context
  const params = { post_id: post.id }
  const call = { operation: 'mailPost', params, body: mailingIn(form), dryRun: true, returns: PostMailing } as const
  try {
    const { result } = await parts.performAs(person, call)
    return await show(context, { form, recipients: result?.recipient_count ?? 0 })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(context, { form, refusal })
  }
}

const submit = async (context: StaffContext, { form, files }: FormWithFiles): Promise<Reply> => {
  const name = formField(form, 'act')
  if (name === 'mail') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(context.request)
    if (isReply(recent)) return recent
  }
  const post = await getPost(context)
  if (name === 'preview') return preview(context, post, form)
  if (name === 'count') return count(context, post, form)
  const act = actOf(form)
  return shownAgain(
    () => act(context, post, { form, files }),
    refusal => show(context, { form, refusal }),
  )
}

/** GET and POST /staff/posts/:post: a post with its text, cover, publication, mailing and earlier versions. */
export const postEditor: StaffSection = {
  // The list leads to each of them.
  entries: [],
  pages: [
    page(`GET ${PATH}/:post`, teachers, context => show(context)),
    fileForm(`POST ${PATH}/:post`, teachers, submit),
  ],
}
