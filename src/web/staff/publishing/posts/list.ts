import { PostPage } from '#src/areas/publishing/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { renderBinned } from '../../pages/binned.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath, PATH, type PostShown, postsPage, statusBadge } from './frame.ts'

const { common, fields, list: text } = texts.staff.posts
const { heads } = texts.staff.lists

const list = createList({
  path: PATH,
  operation: 'listPosts',
  returns: PostPage,
  query: [['managed', 'true']],
  sort: '-created_at',
  filters: { q: 'search', status: text.statuses },
  texts: { ...text, filters: { q: text.search, status: texts.words.status }, all: texts.words.posts },
})

const buildColumns = (context: StaffContext): Column<PostShown>[] => {
  const { t } = context
  return [
    {
      name: texts.words.title,
      kind: 'main',
      sort: 'title',
      cell: post =>
        renderName(
          buildPath(post),
          post.title,
          post.written_by != null && t(common.by, { name: post.written_by.name }),
        ),
    },
    { name: texts.words.status, kind: 'lead', cell: post => statusBadge(post, context) },
    { name: fields.access.label, kind: 'low', cell: ({ access }) => t(fields.access.choices[access]) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    momentColumn(context, { name: texts.words.published, sort: '-published_at', at: one => one.published_at }),
  ]
}

/** GET /staff/posts: the posts of the school for staff, and their own for lecturers. */
export const postList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, async context => {
      const { t } = context
      const shown = await list.read(context)
      return postsPage(context, {
        title: t(text.title),
        ...showList(context, list, shown, {
          columns: buildColumns(context),
          rows: shown.page.data,
          above: await renderBinned(context),
          more: context.isStaff && html`<a class="button" href="${PATH}/categories">${t(common.category.title)}</a>\n`,
          action: html`<a class="button main" href="${PATH}/new">${t(text.create)}</a>`,
        }),
      })
    }),
  ],
}
