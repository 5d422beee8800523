import { PostPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden, page } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import type { StaffSection } from '../../section.ts'
import { PATH, type PostShown, pathOf, postsPage, statusBadge } from './frame.ts'
import { postsText as text } from './text.ts'

const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

type Filters = { readonly q: string; readonly status: string; readonly cursor: string }

const pathWith = (filters: Filters): string => {
  const query = String(new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')))
  return query === '' ? PATH : `${PATH}?${query}`
}

const statusLinks = ({ language }: StaffContext, filters: Filters): Html =>
  html`<nav class="tabs" aria-label="${fill(text.statusList, language)}"><ul>
${(['', ...statuses] as const).map(status => {
  const name = status === '' ? text.all : text.statuses[status]
  return html`<li><a href="${pathWith({ ...filters, status, cursor: '' })}"${status === filters.status && html` aria-current="page"`}>${fill(name, language)}</a></li>\n`
})}</ul></nav>`

const item = (post: PostShown, context: StaffContext): Html => {
  const { language } = context
  const by = post.written_by == null ? [] : [fill(text.by, language, { name: post.written_by.name })]
  const facts = [fill(text.accesses[post.access], language), ...by]
  return html`<li><a href="${pathOf(post)}"><bdi>${post.title}</bdi></a><span class="quiet">${statusBadge(post, context)} <bdi>${facts.join(' · ')}</bdi></span></li>
`
}

const results = (context: StaffContext, posts: readonly PostShown[], { q, status }: Filters): Html => {
  if (posts.length === 0) return html`<p>${context.t(q === '' && status === '' ? text.empty : text.none)}</p>`
  return html`<ul class="list menu">\n${posts.map(post => item(post, context))}</ul>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { language, isStaff } = context
  const part = (name: string): string => (context.query.get(name) ?? '').trim()
  const status = statuses.find(one => one === part('status')) ?? ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const query: Pairs = [
    ['managed', 'true'],
    ['sort', '-created_at'],
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const { data, next_cursor: next } = await context.call({ operation: 'listPosts', query, returns: PostPage })
  return postsPage(context, {
    title: fill(text.title, language),
    isBelow: false,
    body: html`<p><a class="button main" href="${PATH}/new">${fill(text.create, language)}</a></p>
<form method="get" action="${PATH}" class="search">
${filters.status !== '' && hidden({ status })}${field({ name: 'q', label: fill(text.search, language), value: filters.q, attributes: inputs.search })}
<button type="submit">${fill(text.find, language)}</button>
</form>
${statusLinks(context, filters)}
${results(context, data, filters)}
${isStaff && data.length > 0 && downloadLinks('listPosts', schoolOf(context), query)}
${next !== undefined && html`<p><a rel="next" href="${pathWith({ ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathWith({ ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}
${isStaff && html`<p class="quiet"><a href="${PATH}/categories">${fill(text.category.title, language)}</a></p>`}`,
  })
}

/** GET /staff/posts: the posts of the school for staff, and their own for lecturers. */
export const postList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page(`GET ${PATH}`, teachers, show)],
}
