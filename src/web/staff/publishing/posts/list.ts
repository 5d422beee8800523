import { PostPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
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

const statusLinks = ({ t }: StaffContext, filters: Filters): Html =>
  html`<nav class="tabs" aria-label="${t(text.statusList)}"><ul>
${(['', ...statuses] as const).map(status => {
  const name = status === '' ? text.all : text.statuses[status]
  return html`<li><a href="${pathWith({ ...filters, status, cursor: '' })}"${status === filters.status && html` aria-current="page"`}>${t(name)}</a></li>\n`
})}</ul></nav>`

const item = (post: PostShown, context: StaffContext): Html => {
  const { t } = context
  const by = post.written_by == null ? [] : [t(text.by, { name: post.written_by.name })]
  const facts = [t(text.accesses[post.access]), ...by]
  return html`<li><a href="${pathOf(post)}"><bdi>${post.title}</bdi></a><span class="quiet">${statusBadge(post, context)} <bdi>${facts.join(' · ')}</bdi></span></li>
`
}

const results = (context: StaffContext, posts: readonly PostShown[], { q, status }: Filters): Html => {
  if (posts.length === 0) return html`<p>${context.t(q === '' && status === '' ? text.empty : text.none)}</p>`
  return html`<ul class="list menu">\n${posts.map(post => item(post, context))}</ul>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, isStaff } = context
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
    title: t(text.title),
    isBelow: false,
    body: html`<p><a class="button main" href="${PATH}/new">${t(text.create)}</a></p>
<form method="get" action="${PATH}" class="search">
${filters.status !== '' && hidden({ status })}${field({ name: 'q', label: t(text.search), value: filters.q, attributes: inputs.search })}
<button type="submit">${t(text.find)}</button>
</form>
${statusLinks(context, filters)}
${results(context, data, filters)}
${isStaff && data.length > 0 && downloadLinks('listPosts', schoolOf(context), query)}
${next !== undefined && html`<p><a rel="next" href="${pathWith({ ...filters, cursor: next })}">${t(text.next)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathWith({ ...filters, cursor: '' })}">${t(text.first)}</a></p>`}
${isStaff && html`<p class="quiet"><a href="${PATH}/categories">${t(text.category.title)}</a></p>`}`,
  })
}

/** GET /staff/posts: the posts of the school for staff, and their own for lecturers. */
export const postList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page(`GET ${PATH}`, teachers, show)],
}
