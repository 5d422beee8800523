import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { postCategoryDeletion } from '#src/areas/publishing/post-categories/index.ts'
import { ownBinned } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { inUseOf } from '#src/contract/items.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { ownSubjects, subjectNames, subjectOf } from '#src/contract/subject.ts'
import { dropLinks } from '#src/db/links.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { buildViewer } from './post/access.ts'
import { draftsBy } from './post/bin.queries.ts'
import { postCards } from './post/cards.lookups.ts'
import { postCategoryLinks, postSlugs } from './post/conditions.ts'
import { postsCommentedFor } from './post/queries.ts'
import { postSubject, postSubjectNames } from './post/subjects.lookups.ts'
import {
  countPostsOfPlan,
  eraseAuthor,
  listPostFiles,
  listSavedVersions,
  listWritten,
  moveAuthor,
} from './versions/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'posts' ? postCards({ ...context, keyFor }, block) : undefined,
  ),
  implement(postCategoryDeletion, async ({ categoryId }, { db, school }) => {
    return (await dropLinks(db, school.id, postCategoryLinks, postSlugs.rows, categoryId)).length
  }),
  implement(inUseOf, async ({ type, id }, { db, school }) => {
    const count = type === 'membership_plan' ? await countPostsOfPlan(db, school.id, id) : 0
    return count === 0 ? [] : [{ kind: 'post', id: null, count }]
  }),
  implement(ownBinned, async ({ caller }, { school }) => draftsBy(school.id, caller.member.id)),
  implement(subjectOf, (input, context) => postSubject(context, input)),
  implement(subjectNames, (input, context) => postSubjectNames(context, input)),
  implement(ownSubjects, async ({ caller }, { school }) => ({
    type: 'post',
    ids: postsCommentedFor(school.id, buildViewer(caller)),
  })),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listPostFiles(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'post',
      id: toId('pst', row.post_id),
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) => [
    ...new Set((await listPostFiles(db, school.id, fileIds)).flatMap(row => (row.is_public ? [row.file_id] : []))),
  ]),
  implement(memberErasure, ({ memberId }, { db, school }) => eraseAuthor(db, school.id, memberId)),
  implement(memberMerge, ({ fromId, intoId }, { db, school }) => moveAuthor(db, school.id, fromId, intoId)),
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'posts',
      rows: (await listWritten(db, school.id, memberId)).map(({ id, title, body, status, created_at: at }) => ({
        id: toId('pst', id),
        title,
        body,
        status,
        created_at: instant(at),
      })),
    },
    {
      name: 'post_versions',
      rows: (await listSavedVersions(db, school.id, memberId)).map(({ post_id, number, created_at: at }) => ({
        post_id: toId('pst', post_id),
        number,
        created_at: instant(at),
      })),
    },
  ]),
]
