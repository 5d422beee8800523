import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getNamedMember, lockMemberByRef } from '../member/access.ts'
import { MemberRef } from '../member/schema.ts'
import {
  countNotes,
  deleteNote,
  findNote,
  insertNote,
  listNotes,
  lockNote,
  type NoteRow,
  storeNote,
} from './queries.ts'
import { MemberNote, NoteChanges, NotePage, NoteQuery, NoteRef, NoteSettings } from './schema.ts'

const ACTIONS = ['getMemberNote', 'updateMemberNote', 'deleteMemberNote']

const femi = { member_id: exampleFrom('mem', 'listMembers', { having: { email: 'femi@crumb.example' } }) }

const example = { params: { ...femi, note_id: exampleFrom('nte', 'listMemberNotes') } }

const renderView = (row: NoteRow): Static<typeof MemberNote> => ({
  id: row.id,
  body: row.body,
  author: row.author_id === null ? null : { id: row.author_id, name: row.author_name ?? '' },
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

type Find = typeof findNote

const getNote = async (
  find: Find,
  { db, school, params }: { readonly db: Db; readonly school: School; readonly params: Static<typeof NoteRef> },
): Promise<{ readonly memberId: string; readonly row: NoteRow }> => {
  const { id: memberId } = await getNamedMember(db, school, params.member_id)
  const row = await find(db, school.id, memberId, params.note_id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such note about this member.')
  return { memberId, row }
}

const listMemberNotes = declareFor('staff', 'members', {
  id: 'listMemberNotes',
  route: 'GET /members/:member_id/notes',
  summary: 'List notes',
  description: 'Lists the notes that staff wrote about a member, newest first.',
  params: MemberRef,
  query: NoteQuery,
  returns: NotePage,
  example: { params: femi },
  async handle(context) {
    const { db, school, params } = context
    const { rows, after } = parsePage(context)
    const { id } = await getNamedMember(db, school, params.member_id)
    const found = await listNotes(db, school.id, id, rows, after?.[0])
    const total = () => countNotes(db, school.id, id)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderView),
      total,
    })
  },
})

const createMemberNote = declareFor('staff', 'members', {
  id: 'createMemberNote',
  route: 'POST /members/:member_id/notes',
  summary: 'Create a note',
  description: 'Adds a note about a member, which only staff can read.',
  params: MemberRef,
  body: NoteSettings,
  returns: MemberNote,
  status: 201,
  example: { params: femi, body: { body: 'Prefers to be called in the afternoon.' } },
  async handle({ db, school, caller, params, body, now, changed, record }) {
    const { id: memberId } = await lockMemberByRef(db, school, params.member_id)
    const id = newUuid(now.getTime())
    await insertNote(db, school.id, { id, memberId, authorId: caller.member.id, body: body.body })
    const row = await findNote(db, school.id, memberId, id)
    if (row === undefined) throw new Error('a note that was stored is not there')
    const about = { member_id: toId('mem', memberId), note_id: toId('nte', id) }
    changed({ ids: [about.note_id], fields: ['body'], revision: row.revision, memberId })
    record({ type: 'member.note_created', payload: about })
    return renderView(row)
  },
})

const getMemberNote = declareFor('staff', 'members', {
  id: 'getMemberNote',
  route: 'GET /members/:member_id/notes/:note_id',
  summary: 'Get a note',
  description: 'Returns one note about a member.',
  params: NoteRef,
  returns: MemberNote,
  example,
  async handle(context) {
    const { row } = await getNote(findNote, context)
    return { ...renderView(row), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const updateMemberNote = declareFor('staff', 'members', {
  id: 'updateMemberNote',
  route: 'PATCH /members/:member_id/notes/:note_id',
  summary: 'Update a note',
  description: 'Changes the text of a note. Any admin or owner may do this; the author stays the same.',
  ifMatch: 'honoured',
  params: NoteRef,
  body: NoteChanges,
  returns: MemberNote,
  example: { ...example, body: { body: 'Prefers to be called in the morning.' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { memberId, row } = await getNote(lockNote, context)
    await requireMatch(row.revision, () => renderView(row))
    if (body.body === undefined || body.body === row.body) return renderView(row)
    const stored = { ...row, ...(await storeNote(db, school.id, row.id, body.body)) }
    changed({ ids: [toId('nte', params.note_id)], fields: ['body'], revision: stored.revision, memberId })
    record({
      type: 'member.note_updated',
      payload: { member_id: toId('mem', memberId), note_id: toId('nte', params.note_id) },
    })
    return renderView(stored)
  },
})

const deleteMemberNote = declareFor('staff', 'members', {
  id: 'deleteMemberNote',
  route: 'DELETE /members/:member_id/notes/:note_id',
  summary: 'Delete a note',
  description: 'Deletes a note about a member permanently.',
  ifMatch: 'honoured',
  params: NoteRef,
  returns: undefined,
  example,
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { memberId, row } = await getNote(lockNote, context)
    await requireMatch(row.revision, () => renderView(row))
    await deleteNote(db, school.id, row.id)
    changed({ ids: [toId('nte', params.note_id)], fields: [], memberId })
    record({
      type: 'member.note_deleted',
      payload: { member_id: toId('mem', memberId), note_id: toId('nte', params.note_id) },
    })
  },
})

/** Notes about members, in the order of the documentation. */
export const noteOperations = [listMemberNotes, createMemberNote, getMemberNote, updateMemberNote, deleteMemberNote]
