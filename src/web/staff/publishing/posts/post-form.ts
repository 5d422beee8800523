import { describeNotes } from '#src/contract/body.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import { isChecked, lineIn, lineOrNull, textIn, valuesIn } from '../../forms/values.ts'
import { type PostShown, pathOf } from './frame.ts'
import { type PostView, stateOf } from './shown.ts'
import { postsText as text } from './text.ts'

const formOfPost = (post: PostShown): Pairs => [
  ['title', post.title],
  ['subtitle', post.subtitle],
  ['excerpt', post.has_own_excerpt ? post.excerpt : ''],
  ['body', post.body ?? ''],
  ['access', post.access],
  ['slug', post.slug],
  ...post.category_ids.map((id): [string, string] => ['category_ids', id]),
  ['tags', post.tags.join(', ')],
  ['featured', post.featured ? 'yes' : ''],
  ['comments', post.comments],
  ['seo_title', post.seo.title ?? ''],
  ['seo_description', post.seo.description ?? ''],
  ['canonical_url', post.canonical_url ?? ''],
  ['external_id', post.external_id ?? ''],
]

/** The values that are separated by commas in a field of a form. */
export const commaList = (form: Pairs, name: string): string[] =>
  lineIn(form, name)
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '')

/** The body of the change that the form of a post asks for. */
export const bodyIn = (form: Pairs) => ({
  title: lineIn(form, 'title'),
  subtitle: lineIn(form, 'subtitle'),
  excerpt: lineIn(form, 'excerpt'),
  body: textIn(form, 'body'),
  access: formField(form, 'access'),
  slug: lineIn(form, 'slug'),
  category_ids: valuesIn(form, 'category_ids'),
  tags: commaList(form, 'tags'),
  featured: isChecked(form, 'featured'),
  comments: formField(form, 'comments'),
  seo: { title: lineOrNull(form, 'seo_title'), description: lineOrNull(form, 'seo_description') },
  canonical_url: lineOrNull(form, 'canonical_url'),
  external_id: lineOrNull(form, 'external_id'),
})

const short = (length: number): Html => html`type="text" maxlength="${length}"`

const categoriesPart = (state: FormState, { t, isStaff }: StaffContext, { categories }: PostView): Html =>
  html`<fieldset><legend>${t(text.categories)}</legend>
${categories.length === 0 && html`<p class="quiet">${t(text.noCategories)}</p>`}
${categories.map(({ id, name }) => box(state, { name: 'category_ids', id, label: name }, id))}${isStaff && html`<p class="quiet"><a href="/staff/posts/categories">${t(text.editCategories)}</a></p>`}</fieldset>`

const morePart = (state: FormState, { t }: StaffContext): Html =>
  html`<details class="filters"><summary>${t(text.more)}</summary>
${line(state, { name: 'seo_title', label: t(text.seoTitle), attributes: short(120) })}
${line(state, { name: 'seo_description', label: t(text.seoDescription), attributes: short(320) })}
${line(state, { name: 'canonical_url', label: t(text.canonical), attributes: html`type="url" maxlength="500"` })}
${line(state, { name: 'external_id', label: t(text.externalId), attributes: short(255) })}</details>`

const previewPart = ({ t }: StaffContext, { again }: PostView): Html | false => {
  const shown = again?.preview
  if (shown === undefined) return false
  return html`<section class="card preview" id="preview"><h2>${t(text.previewTitle)}</h2>
<div class="prose">${shown === '' ? html`<p class="quiet">${t(text.previewEmpty)}</p>` : { html: shown }}</div></section>`
}

const choicesOf = (
  names: Readonly<Record<string, { readonly en: string; readonly pt: string }>>,
  { t }: StaffContext,
) => Object.entries(names).map(([value, phrase]) => ({ value, label: t(phrase) }))

/** The form with the texts and the settings of a post. */
export const postForm = (context: StaffContext, view: PostView): Html => {
  const { t, language, token } = context
  const { post, again } = view
  const state = stateOf(context, view, ['save', 'preview'], formOfPost(post))
  const typed = formField(state.typed, 'revision')
  const isStale = typed === '' || again?.refusal?.problem.code === 'precondition_failed'
  const isHtml = post.body_format === 'html'
  const inside = html`${hidden({ revision: isStale ? post.revision : typed })}
${line(state, { name: 'title', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
${line(state, { name: 'subtitle', label: t(text.subtitle), attributes: short(300) })}
${area(state, { name: 'body', label: t(isHtml ? text.bodyHtml : text.body), hint: t(text.bodyHint), rows: 18, attributes: html`class="code" maxlength="200000"` })}
${describeNotes('post', [post], language).map(note => html`<p class="notice">${note}</p>\n`)}${previewPart(context, view)}
${line(state, { name: 'excerpt', label: t(text.excerpt), hint: t(text.excerptHint), attributes: short(500) })}
${choose(state, { name: 'access', label: t(text.access) }, choicesOf(text.accesses, context))}
${categoriesPart(state, context, view)}
${line(state, { name: 'tags', label: t(text.tags), attributes: short(1100) })}
${line(state, { name: 'slug', label: t(text.slug), hint: t(text.slugHint), attributes: html`type="text" maxlength="80" required` })}
${box(state, { name: 'featured', label: t(text.featured) })}
${choose(state, { name: 'comments', label: t(text.comments) }, choicesOf(text.commentModes, context))}
${morePart(state, context)}
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(text.save)}</button>
<button type="submit" name="act" value="preview">${t(text.preview)}</button></div>`
  return formOf(pathOf(post), token, inside)
}

/** The cover of a post, with the form that changes it. */
export const coverPart = ({ t, language, token }: StaffContext, { post }: PostView): Html => {
  const { cover, revision } = post
  const remove = html`${hidden({ act: 'remove_cover', revision })}<button class="plain" type="submit">${t(text.removeCover)}</button>`
  const glue = cover?.url.includes('?') ? '&' : '?'
  return html`<section class="card" id="cover"><h2>${t(text.cover)}</h2>
${cover === null ? html`<p>${t(text.noCover)}</p>` : html`<img class="thumbnail" src="${cover.url}${glue}width=320" alt="">${formOf(pathOf(post), token, remove)}`}
${renderFileForm({
  ...{ action: pathOf(post), token, language },
  fields: { act: 'cover', revision },
  id: 'cover-file',
  label: t(text.chooseCover),
  button: t(text.upload),
  accept: 'image/png,image/jpeg,image/webp',
  hint: t(text.coverHint),
})}</section>`
}
