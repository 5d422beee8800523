import { PostPage } from '#src/areas/publishing/index.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { renderBinned } from '../../pages/binned.ts'
import { showStatusList } from '../../pages/status-list.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath, PATH, type PostShown, postsPage, statusBadge } from './frame.ts'

const { common, fields, list: text } = texts.staff.posts

const list = {
  path: PATH,
  operation: 'listPosts',
  returns: PostPage,
  sort: '-created_at',
  statuses: text.statuses,
  texts: text,
}

const item = (post: PostShown, context: StaffContext) => {
  const { t } = context
  const by = post.written_by == null ? [] : [t(common.by, { name: post.written_by.name })]
  const facts = [t(fields.access.choices[post.access]), ...by]
  return html`<li><a href="${buildPath(post)}"><bdi>${post.title}</bdi></a><span class="quiet">${statusBadge(post, context)} <bdi>${facts.join(' · ')}</bdi></span></li>
`
}

/** GET /staff/posts: the posts of the school for staff, and their own for lecturers. */
export const postList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, async context =>
      postsPage(context, {
        title: context.t(text.title),
        isList: true,
        body: html`${await renderBinned(context)}
${await showStatusList(context, list, ({ data }) => data.map(post => item(post, context)))}
${context.isStaff && html`<p class="quiet"><a href="${PATH}/categories">${context.t(common.category.title)}</a></p>`}`,
      }),
    ),
  ],
}
