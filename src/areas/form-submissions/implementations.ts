import type { Static } from 'typebox'
import { findForm, stateOf, submissionCounts, submissionsDeletion } from '#src/areas/forms/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { usesOf } from '#src/areas/storage/index.ts'
import { encode } from '#src/contract/codec.ts'
import type { Db } from '#src/contract/db.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { type BlockCard, blockOf, plainCard } from '#src/contract/page-blocks.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { plainOf } from '#src/kit/body/plain.ts'
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

// A block is shown while the form takes answers.
const formCards = async ({ db, school }: HookPlace, formId: string): Promise<BlockCard[]> => {
  const form = await findForm(db, school.id, 'anyone', formId)
  if (form === undefined) return []
  const [counts] = await countByForm(db, school.id, [form.id])
  const state = stateOf(form, (counts?.received ?? 0) + (counts?.suspected ?? 0), form.asked_at)
  if (state !== 'open') return []
  const about = Array.from(plainOf(form.intro)).slice(0, 300).join('')
  return [plainCard({ id: toId('frm', form.id), path: `/forms/${form.slug}`, name: form.title, about })]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block }, place) => (block.type === 'form' ? formCards(place, block.form_id) : undefined)),
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
