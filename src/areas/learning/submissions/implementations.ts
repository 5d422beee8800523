import { findLesson } from '#src/areas/courses/index.ts'
import { usesOf } from '#src/areas/files/index.ts'
import { dueFor, findAssignment } from '#src/areas/learning/assignments/index.ts'
import { encode } from '#src/contract/codec.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { type ExtensionRow, eraseExtensions, listMemberExtensions, moveExtensions } from './extensions/queries.ts'
import { extendedDue } from './extensions/views.ts'
import { readDue } from './submissions/lookups.ts'
import { eraseWork, listFileUses, listMemberSubmissions, moveWork } from './submissions/queries.ts'
import { OwnSubmissionEntry } from './submissions/schema.ts'
import { ownEntryView } from './submissions/views.ts'

// With the note of the lecturer, as with the notes of the staff.
const extensionRow = (row: ExtensionRow) => ({
  lesson_id: toId('les', row.lesson_id),
  due_at: extendedDue(row),
  note: row.note,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

// The submissions and extensions of a member, for the export of their data.
const personalWork = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const [rows, extensions] = await Promise.all([
    listMemberSubmissions(db, schoolId, memberId),
    listMemberExtensions(db, schoolId, memberId),
  ])
  const file = (id: string) => toId('fil', id)
  return [
    {
      name: 'submissions',
      rows: rows.map(row => ({
        ...encode(OwnSubmissionEntry, ownEntryView(row)),
        text: row.text,
        link: row.link,
        file_ids: row.file_ids.map(file),
        feedback: row.feedback,
        feedback_file_ids: row.feedback_file_ids.map(file),
      })),
    },
    { name: 'extensions', rows: extensions.map(extensionRow) },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(usesOf, async ({ fileIds }, { school, db }) => {
    const uses = await listFileUses(db, school.id, fileIds)
    return uses.map(one => ({ fileId: one.file_id, kind: 'submission', id: toId('sbm', one.submission_id) }))
  }),
  implement(memberErasure, async ({ memberId }, { school, db }) => {
    await Promise.all([eraseWork(db, school.id, memberId), eraseExtensions(db, school.id, memberId)])
  }),
  implement(memberMerge, async ({ fromId: from, intoId: into }, { school, db }) => {
    await moveWork(db, school.id, from, into)
    await moveExtensions(db, school.id, from, into)
  }),
  implement(personalData, ({ memberId }, { school, db }) => personalWork(db, school.id, memberId)),
  implement(dueFor, async ({ memberId, lessonId }, { school, db }) => {
    const [lesson, assignment] = await Promise.all([
      findLesson(db, school.id, lessonId),
      findAssignment(db, school.id, lessonId),
    ])
    return lesson === undefined || assignment === undefined
      ? null
      : readDue({ school, db }, { memberId, lesson }, assignment)
  }),
]
