import type { Static } from 'typebox'
import { usesOf } from '#src/areas/files/index.ts'
import { findMember, provenAddress } from '#src/areas/people/index.ts'
import { computeState, findForm, submissionCounts, submissionsDeletion } from '#src/areas/publishing/forms/index.ts'
import { encode } from '#src/contract/codec.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type BlockCard, blockOf, plainCard } from '#src/contract/page-blocks.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { toId } from '#src/kit/ids.ts'
import {
  countByForm,
  dropAddress,
  listFileUses,
  listPersonSubmissions,
  moveSubmissions,
  ofForm,
  ofPerson,
} from './submission/queries.ts'
import { OwnFormSubmission } from './submission/schema.ts'
import { ownSubmissionViews } from './submission/views.ts'
import { deleteSubmissionsWhere } from './submission/writes.ts'

// Whoever typed an address into a form may be somebody else, so what was sent with it is shown to nobody who has not proven it.
const personalSubmissions = async (db: Db, schoolId: string, memberId: string): Promise<PersonalData[]> => {
  const address = await provenAddress(db, schoolId, memberId)
  const rows = await listPersonSubmissions(db, schoolId, { memberId, address })
  const views: Static<typeof OwnFormSubmission>[] = ownSubmissionViews(rows)
  const more = rows.map(({ answers, source_page: page, source_campaign: campaign }) => ({
    file_ids: answers.flatMap(({ type, value }) => (type === 'file' ? [toId('fil', String(value))] : [])),
    source: { page, campaign },
  }))
  return [
    {
      name: 'form_submissions',
      rows: views.map((view, place) => ({ ...encode(OwnFormSubmission, view), ...more[place] })),
    },
  ]
}

// A block is shown while the form takes answers.
const formCards = async ({ db, school }: SchoolContext, formId: string): Promise<BlockCard[]> => {
  const form = await findForm(db, school.id, 'anyone', formId)
  if (form === undefined) return []
  const [counts] = await countByForm(db, school.id, [form.id])
  const state = computeState(form, (counts?.received ?? 0) + (counts?.suspected ?? 0), form.asked_at)
  if (state !== 'open') return []
  const about = Array.from(stripMarkdown(form.intro)).slice(0, 300).join('')
  return [plainCard({ id: toId('frm', form.id), path: `/forms/${form.slug}`, name: form.title, about })]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(blockOf, async ({ block }, context) =>
    block.type === 'form' ? formCards(context, block.form_id) : undefined,
  ),
  implement(submissionCounts, ({ formIds }, { db, school }) => countByForm(db, school.id, formIds)),
  implement(
    submissionsDeletion,
    async ({ formId }, { db, school }) => (await deleteSubmissionsWhere(db, school.id, ofForm(formId))).length,
  ),
  // After a merge, the other member keeps the address in answers that are theirs now.
  implement(memberErasure, async ({ memberId, intoId = memberId }, { db, school }) => {
    const address = (await findMember(db, school.id, memberId))?.email_folded
    await deleteSubmissionsWhere(db, school.id, ofPerson({ memberId, address }))
    if (address !== undefined) await dropAddress(db, school.id, intoId, address)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    const address = (await findMember(db, school.id, fromId))?.email_folded
    await moveSubmissions(db, school.id, { memberId: fromId, address }, intoId)
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
