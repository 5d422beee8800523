import { Post, PostMailing, PostVersionPage } from '#src/areas/publishing/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { type FormFile, isReply } from '#src/web/page/index.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { textIn } from '../../forms/values.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
import { teachingFileForm, teachingPage } from '../../teaching/visit.ts'
import { isShown, perform, shownAgain, type Visit } from '../../visit.ts'
import { listCategories } from './categories.ts'
import { PATH, type PostShown, postsPage, statusBadge } from './frame.ts'
import { actOf, mailingIn } from './post-acts.ts'
import { coverPart, postForm } from './post-form.ts'
import { endingPart, mailingPart, publicationPart, versionsPart } from './publication-part.ts'
import type { Again, PostView } from './shown.ts'
import { postRefusals, postsText as text } from './text.ts'

const getPost = async (visit: Visit): Promise<PostShown> => {
  const params = { post_id: visit.request.params.post ?? '' }
  return perform(visit, { operation: 'getPost', params, returns: Post })
}

const FIELDS = [
  ...['title', 'subtitle', 'excerpt', 'body', 'slug', 'tags', 'seo_title', 'seo_description'],
  ...['canonical_url', 'external_id', 'at', 'confirm'],
]

const pageOf = (visit: Visit, view: PostView): Promise<Reply> => {
  const { language, isStaff } = visit
  const { post, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const mayChange = isStaff || post.status === 'draft'
  return postsPage(visit, {
    title: post.title,
    isBelow: true,
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: postRefusals }),
    body: html`<p class="course-head">${statusBadge(post, visit)}${post.status === 'published' && html` <a href="/account/posts/${post.slug}">${fill(text.onSite, language)}</a>`}</p>
${mayChange ? html`${postForm(visit, view)}\n${coverPart(visit, view)}` : html`<p class="note">${fill(text.readOnly, language)}</p>`}
${publicationPart(visit, view)}
${mailingPart(visit, view)}
${versionsPart(visit, view, mayChange)}
${endingPart(visit, view, mayChange)}`,
  })
}

const show = async (visit: Visit, again?: Again): Promise<Reply> => {
  // Whoever does not manage the post has no versions of it, and is told so.
  const post = await getPost(visit)
  const params = { post_id: post.id }
  const [categories, versions, { time_zone: timeZone }] = await Promise.all([
    listCategories(visit),
    perform(visit, { operation: 'listPostVersions', params, query: [['limit', '10']], returns: PostVersionPage }),
    perform(visit, { operation: 'getSchool', returns: School }),
  ])
  return pageOf(visit, { post, categories, versions: versions.data, timeZone, again })
}

// The text is shown by a dry run of the operation that would store it.
const preview = async (visit: Visit, post: PostShown, form: Pairs): Promise<Reply> => {
  const { parts, person } = visit
  const body = { body: textIn(form, 'body') }
  const call = { operation: 'updatePost', params: { post_id: post.id }, body, dryRun: true, returns: Post } as const
  try {
    const { result } = await parts.performAs(person, call)
    return await show(visit, { form, preview: result?.body_html ?? '' })
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.problem.status !== 422) throw refusal
    return show(visit, { form, refusal })
  }
}

const count = async (visit: Visit, post: PostShown, form: Pairs): Promise<Reply> => {
  const { parts, person } = visit
  const params = { post_id: post.id }
  const call = { operation: 'mailPost', params, body: mailingIn(form), dryRun: true, returns: PostMailing } as const
  try {
    const { result } = await parts.performAs(person, call)
    return await show(visit, { form, recipients: result?.recipient_count ?? 0 })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(visit, { form, refusal })
  }
}

const submit = async (visit: Visit, form: Pairs, files: readonly FormFile[]): Promise<Reply> => {
  const name = formField(form, 'act')
  if (name === 'mail') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(visit.request)
    if (isReply(recent)) return recent
  }
  const post = await getPost(visit)
  if (name === 'preview') return preview(visit, post, form)
  if (name === 'count') return count(visit, post, form)
  const act = actOf(form)
  return shownAgain(
    () => act(visit, post, { form, files }),
    refusal => show(visit, { form, refusal }),
  )
}

/** GET and POST /staff/posts/:post: a post with its text, cover, publication, mailing and earlier versions. */
export const postEditor: StaffSection = {
  // The list leads to each of them.
  entries: [],
  endpoints: parts => [
    teachingPage(`GET ${PATH}/:post`, parts, visit => show(visit)),
    teachingFileForm(`POST ${PATH}/:post`, parts, submit),
  ],
}
