import { texts } from '#src/texts/index.ts'
import {
  type Act,
  at,
  box,
  choice,
  fieldsFor,
  line,
  markdown,
  optionalLine,
  optionalLink,
  required,
  selectMany,
  time,
  words,
} from '#src/web/page/index.ts'
import { postEditor } from '../../texts/index.ts'
import type { PostShown } from './frame.ts'

const { acts, fields } = texts.staff.posts

/** What a new post begins with. */
export const newFields = fieldsFor<PostShown>()(fields, { title: required(line({ most: 200 })) })

type Settings = PostShown & { readonly seo_title?: unknown; readonly seo_description?: unknown }

/** The fields of a post. */
export const postFields = fieldsFor<Settings>()(fields, {
  title: required(line({ most: 200 })),
  subtitle: line({ most: 300 }),
  body: markdown({ most: 200_000, rows: 18, editor: postEditor }),
  excerpt: line({ most: 500 }),
  access: choice(['public', 'members', 'paid']),
  category_ids: selectMany(),
  tags: words({ most: 1100 }),
  slug: required(line({ most: 80 })),
  featured: box(),
  comments: choice(['open', 'closed', 'off']),
  seo_title: at('seo', 'title', optionalLine({ most: 120 })),
  seo_description: at('seo', 'description', optionalLine({ most: 320 })),
  canonical_url: optionalLink({ most: 500 }),
  external_id: optionalLine({ most: 255 }),
})

type Mailing = { readonly audience: 'all' | 'tags'; readonly tags: string[] }

const isIn =
  (...statuses: PostShown['status'][]) =>
  ({ status }: PostShown): boolean =>
    statuses.includes(status)

const onPage = { offered: () => false }

/** What is done on the page of a post, to its status by staff. Its texts, cover and versions have forms of their own. */
export const postActs = {
  save: { operation: 'updatePost', fields: postFields, ...onPage },
  picture: { operation: 'updatePost', ...onPage },
  remove_picture: { operation: 'updatePost', body: { cover_file_id: null }, ...onPage },
  restore: { operation: 'restorePostVersion', params: { number: 'version' }, ...onPage },
  publish: { operation: 'publishPost', body: {}, offered: isIn('draft', 'scheduled') },
  unpublish: { operation: 'unpublishPost', offered: isIn('scheduled', 'published') },
  archive: { operation: 'archivePost', offered: isIn('published') },
  unarchive: { operation: 'unarchivePost', offered: isIn('archived') },
  schedule: {
    operation: 'publishPost',
    fields: fieldsFor<{ readonly at: string }>()(acts.schedule.fields, { at: required(time()) }),
    offered: isIn('draft', 'scheduled'),
  },
  mail: {
    operation: 'mailPost',
    fields: fieldsFor<Mailing>()(acts.mail.fields, {
      audience: choice(['all', 'tags']),
      tags: words({ most: 1100, when: ['audience', 'tags'] }),
    }),
    isTried: 'first',
    isOnce: true,
    prefix: 'mail-',
    offered: post => isIn('published')(post) && post.mailed_at == null,
    opens: () => true,
  },
  copy: { operation: 'copyPost', body: {}, isOnce: true, offered: () => true },
  delete: { operation: 'deletePost', offered: () => true },
} as const satisfies Readonly<Record<string, Act<PostShown>>>
