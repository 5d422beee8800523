import { filesPublic, usesOf } from '#src/areas/files/index.ts'
import { implement } from '#src/contract/hook.ts'
import { itemExists } from '#src/contract/items.ts'
import { blockOf } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { ownSubjects, subjectNames, subjectOf } from '#src/contract/subject.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { deleteFeed } from './calendars/queries.ts'
import { buildViewer } from './event/access.ts'
import { eventCards } from './event/cards.lookups.ts'
import { eventsCommentedFor } from './event/queries.ts'
import { eraseAuthor, listCreated, listImages, moveAuthor, shareEvent } from './event/references.queries.ts'
import { eventSubject, eventSubjectNames } from './event/subjects.lookups.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(itemExists, async ({ type, id }, { db, school }) => {
    if (type !== 'event') return undefined
    // The lock prevents that an event is deleted while a bundle opens it.
    const name = await shareEvent(db, school.id, id)
    return name === undefined ? 'unknown' : { name }
  }),
  implement(blockOf, async ({ block, keyFor }, context) =>
    block.type === 'events' ? eventCards({ ...context, keyFor }, block) : undefined,
  ),
  implement(subjectOf, (input, context) => eventSubject(context, input)),
  implement(subjectNames, (input, context) => eventSubjectNames(context, input)),
  implement(ownSubjects, async ({ caller }, { school }) => ({
    type: 'event',
    ids: eventsCommentedFor(school.id, buildViewer(caller)),
  })),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'event',
      id: toId('evt', row.event_id),
      name: row.name,
    })),
  ),
  implement(filesPublic, async ({ fileIds }, { db, school }) =>
    (await listImages(db, school.id, fileIds)).flatMap(row => (row.is_public ? [row.file_id] : [])),
  ),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseAuthor(db, school.id, memberId)
    await deleteFeed(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveAuthor(db, school.id, fromId, intoId)
    await deleteFeed(db, school.id, fromId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => [
    {
      name: 'events',
      rows: (await listCreated(db, school.id, memberId)).map(({ id, created_at: at, ...event }) => ({
        id: toId('evt', id),
        ...event,
        created_at: instant(at),
      })),
    },
  ]),
]
