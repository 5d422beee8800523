import type { Static } from 'typebox'
import { Post, PostMailing, PostVersionPage } from '#src/areas/publishing/index.ts'
import { describeNotes } from '#src/contract/body.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actBesideText,
  actForms,
  type FormWithFiles,
  fileForm,
  findChanged,
  folded,
  hidden,
  isShown,
  page,
  renderConflict,
  revisionIn,
  submitAct,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { besides, statusPill } from '../../console/frame.ts'
import { picturePart, storeFile } from '../../files/uploads/index.ts'
import { buildBinned } from '../../pages/binned.ts'
import type { StaffSection } from '../../section.ts'
import { intoTextPart, isIntoText, putIntoText } from '../../texts/index.ts'
import { readCategories } from './categories.ts'
import { postActs, postFields } from './fields.ts'
import { buildPath, PATH, type PostShown, postsPage, statusBadge } from './frame.ts'

const { acts, common: text } = texts.staff.posts

/** What was typed just now; `preview` is the text as readers would see it. */
type Shown = Again & { readonly preview?: string }

type Versions = Encoded<Static<typeof PostVersionPage>>['data']

const readPost = ({ call, params }: StaffContext): Promise<PostShown> =>
  call({ operation: 'getPost', params: { post_id: params.post ?? '' }, returns: Post })

const previewPart = ({ t }: StaffContext, shown: string): Html =>
  html`<section class="card preview" id="text-preview"><h2>${t(texts.words.previewNotSaved)}</h2>
<div class="prose">${shown === '' ? html`<p class="quiet">${t(texts.words.noText)}</p>` : { html: shown }}</div></section>`

const storedPairs = (context: StaffContext, post: PostShown): Pairs => {
  const excerpt = post.has_own_excerpt ? post.excerpt : ''
  return postFields.pairs({ ...post, excerpt }, context)
}

const conflictPart = (context: StaffContext, post: PostShown, again: Shown | undefined): Html | false =>
  renderConflict(context, again && { ...again, stored: storedPairs(context, post), fields: postFields, within: 'post' })

const postForm = async (
  context: StaffContext,
  { post, versions }: { readonly post: PostShown; readonly versions: Versions },
  again: Shown | undefined,
): Promise<Html> => {
  const { t, form, isStaff, language } = context
  // The form is sent with a cover, too.
  const isAgain = again?.act === 'save' || again?.act === 'picture'
  const typed = isAgain ? again.typed : storedPairs(context, post)
  const isStale = !isAgain || again.refusal?.problem.code === 'precondition_failed'
  const categories = (await readCategories(context)).map(({ id, name }) => ({ value: id, label: name }))
  const refusal = isAgain ? again.refusal : undefined
  const values = { format: post.body_format === 'html' ? 'HTML' : 'Markdown' }
  const state = { language, typed, refusal, values, choices: { category_ids: categories } }
  const rows = (...names: (typeof postFields.names)[number][]): Html => postFields.rows(state, names)
  return form(
    html`${hidden({ revision: (!isStale && formField(typed, 'revision')) || post.revision })}
${rows('title', 'subtitle', 'body')}${describeNotes('post', [post], language).map(note => html`<p class="notice">${note}</p>\n`)}${again?.preview !== undefined && previewPart(context, again.preview)}
${rows('excerpt', 'access', 'category_ids')}${isStaff && html`<p class="quiet"><a href="${PATH}/categories">${t(text.editCategories)}</a></p>`}
${rows('tags', 'slug', 'featured', 'comments')}<details class="filters"><summary>${t(text.more)}</summary>
${rows('seo_title', 'seo_description', 'canonical_url', 'external_id')}</details>
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(acts.save.button)}</button>
<button type="submit" name="act" value="preview">${t(texts.words.previewText)}</button></div>
${intoTextPart(context, [])}`,
    undefined,
    { id: 'post', hasFiles: true, draft: 'post', changed: findChanged(post, versions) },
  )
}

// What staff do with the status of a post, and for others whom to ask.
const publicationPart = (context: StaffContext, post: PostShown, again: Again | undefined): Html => {
  const { t, form, time, isStaff } = context
  const { publish, unpublish, archive, unarchive, schedule } = postActs
  const offered = Object.entries({ publish, unpublish, archive, unarchive }).filter(([, act]) => act.offered(post))
  const buttons = offered.map(([act]) =>
    form(
      html`${hidden({ act, revision: post.revision })}<button type="submit"${act === 'publish' && html` class="main"`}>${t(acts[act as keyof typeof acts].button)}</button>`,
    ),
  )
  const at = post.publish_at
  return html`<section class="card" id="publication"><h2>${t(texts.words.publication)}</h2>
${
  isStaff
    ? html`${buttons}${at != null && html`<p>${t(text.scheduledAt, { at: time(at) })}</p>\n`}${actForms(context, { acts: { schedule }, item: post, texts: acts, refused: again })}`
    : html`<p class="note">${t(text.forStaff)}</p>`
}</section>`
}

const versionsPart = (
  { t, form, time }: StaffContext,
  post: PostShown,
  versions: Versions,
  mayChange: boolean,
): Html => {
  const items = versions.map(({ number: n, is_current, author, created_at: at }) => {
    const [name, label] = [t(text.version, { n, at: time(at) }), t(acts.restore.button)]
    const inside = html`${hidden({ act: 'restore', version: n, revision: post.revision })}<button type="submit" class="plain" aria-label="${label}: ${name}">${label}</button>`
    const current = statusPill(t(text.current), 'published')
    return html`<li class="act"><span>${name} <span class="quiet"><bdi>${author?.name}</bdi></span></span>${is_current ? current : mayChange && form(inside)}</li>\n`
  })
  return folded(t(texts.words.earlierVersions), html`<ul class="list">\n${items}</ul>`)
}

const show = async (context: StaffContext, again?: Shown): Promise<Reply> => {
  const { t, call, time, isStaff } = context
  // Whoever does not manage the post has no versions of it, and is told so.
  const post = await readPost(context)
  const query: Pairs = [['limit', '10']]
  const { data: versions } = await call({
    operation: 'listPostVersions',
    params: { post_id: post.id },
    query,
    returns: PostVersionPage,
  })
  const mayChange = isStaff || post.status === 'draft'
  const { mail, copy, delete: remove } = postActs
  const ending = { ...(isStaff ? { mail } : {}), copy, ...(mayChange ? { delete: remove } : {}) }
  const act = Object.entries(postActs).find(([name]) => name === again?.act)?.[1]
  return postsPage(context, {
    title: post.title,
    again,
    fields: act !== undefined && 'fields' in act ? act.fields : undefined,
    badge: statusBadge(post, context),
    ...(post.status === 'published' && {
      actions: html`<a class="button" href="/account/posts/${post.slug}">${t(text.onSite)}</a>`,
    }),
    ...besides(
      mayChange
        ? html`${conflictPart(context, post, again)}${await postForm(context, { post, versions }, again)}`
        : html`<p class="note">${t(text.readOnly)}</p>`,
      html`${publicationPart(context, post, again)}
${mayChange && picturePart(context, { ...post, purpose: 'post', picture: post.cover, isSeen: true, within: 'post' }, text)}
${isStaff && post.mailed_at != null && html`<section class="card" id="mailing"><h2>${t(text.mailing)}</h2>\n<p>${t(text.mailedAt, { at: time(post.mailed_at) })}</p></section>`}
${versions.length > 1 && versionsPart(context, post, versions, mayChange)}
${actForms(context, { acts: ending, item: post, texts: acts, refused: again })}`,
    ),
  })
}

// The text is shown by a dry run of the operation that would store it.
const preview = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const again = { act: 'save', typed }
  const params = { post_id: (await readPost(context)).id }
  const body = { body: postFields.body(typed, context, ['body']).body }
  try {
    const call = { operation: 'updatePost', params, body, dryRun: true, returns: Post } as const
    const { result } = await context.call(call)
    return await show(context, { ...again, preview: result?.body_html ?? '' })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(context, { ...again, refusal })
  }
}

const putIntoBody = async (context: StaffContext, sent: FormWithFiles): Promise<Reply> => {
  try {
    return await show(context, { act: 'save', typed: await putIntoText(context, sent, [], 'post') })
  } catch (refusal) {
    if (!isShown(refusal)) throw refusal
    return show(context, { act: 'save', typed: sent.form, refusal })
  }
}

// The part of the page that an act is about.
const ANCHORS: Readonly<Record<string, string>> = {
  remove_picture: '#picture',
  mail: '#mailing',
  publish: '#publication',
  unpublish: '#publication',
  archive: '#publication',
  unarchive: '#publication',
  schedule: '#publication',
}

const submit = async (context: StaffContext, { form: typed, files }: FormWithFiles): Promise<Reply> => {
  const { t, call, parts, person } = context
  const named = formField(typed, 'act')
  if (named === 'preview') return preview(context, typed)
  if (named === TAKE_THEIRS) return show(context, { act: named, typed })
  if (isIntoText(typed)) return putIntoBody(context, { form: typed, files })
  const post = await readPost(context)
  const image = files.find(({ field }) => field === 'file')
  const coverIn = async () => ({ cover_file_id: await storeFile(parts, person, image, 'post') })
  const setCover = async (asked: PageCall<undefined>): Promise<string> => {
    await call({ ...asked, body: await coverIn() })
    return `${buildPath(post)}?done=picture#picture`
  }
  const perform = async (act: string, asked: PageCall<undefined>): Promise<string | Reply> => {
    if (act === 'picture') {
      const text = { names: postFields.names, stored: storedPairs(context, post) }
      const showText = (typed: Pairs) => show(context, { act: 'save', typed })
      return actBesideText(context, typed, text, { act: () => setCover(asked), show: showText })
    }
    if (act === 'copy') return `${buildPath(await call({ ...asked, returns: Post }))}?done=copy`
    const cover = act === 'save' && image !== undefined ? { body: { ...Object(asked.body), ...(await coverIn()) } } : {}
    await call({ ...asked, ...cover, ...(act === 'restore' ? { revision: revisionIn(typed) } : {}) })
    return act === 'delete' ? buildBinned(PATH, post.id) : `${buildPath(post)}?done=${act}${ANCHORS[act] ?? ''}`
  }
  return submitAct(
    context,
    { acts: postActs, typed, params: { post_id: post.id } },
    {
      perform,
      show: again => show(context, again),
      async listEffects(_, tried) {
        const { result } = await call({ ...tried, dryRun: true, returns: PostMailing })
        return [t(text.recipients, { n: result?.recipient_count ?? 0 })]
      },
    },
  )
}

/** GET and POST /staff/posts/:post: a post with its text, cover, publication, mailing and earlier versions. */
export const postEditor: StaffSection = {
  // The list leads to each of them.
  pages: [
    page(`GET ${PATH}/:post`, teachers, context => show(context)),
    fileForm(`POST ${PATH}/:post`, teachers, submit),
  ],
}
