import type { Static } from 'typebox'
import { submissionCounts, submissionsDeletion } from '#src/areas/forms/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { usesOf } from '#src/areas/storage/index.ts'
import { encode } from '#src/contract/codec.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { countByForm, listFileUses, moveSubmissions, ofForm, ofMember, submissionList } from './submission/queries.ts'
import { OwnFormSubmission } from './submission/schema.ts'
import { ownSubmissionViews } from './submission/views.ts'
import { deleteSubmissionsWhere } from './submission/writes.ts'

const personalSubmissions = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const rows = await db.all(listStatement(submissionList(schoolId, { memberId }), 'created_at'))
  const views: Static<typeof OwnFormSubmission>[] = ownSubmissionViews(rows)
  return [{ name: 'form_submissions', rows: views.map(view => encode(OwnFormSubmission, view)) }]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(submissionCounts, ({ formIds }, { db, school }) => countByForm(db, school.id, formIds)),
  implement(
    submissionsDeletion,
    async ({ formId }, { db, school }) => (await deleteSubmissionsWhere(db, school.id, ofForm(formId))).length,
  ),
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deleteSubmissionsWhere(db, school.id, ofMember(memberId))
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveSubmissions(db, school.id, fromId, intoId)
  }),
  implement(personalData, ({ memberId }, { db, school }) => personalSubmissions(db, school.id, memberId)),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listFileUses(db, school.id, fileIds)).map(row => ({
      fileId: row.file_id,
      kind: 'form_submission',
      id: toId('fsb', row.submission_id),
    })),
  ),
]
