import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { conflict, invalidBody, notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanTags } from '#src/kit/text.ts'
import { checkMayTouch, lockMemberByRef } from '../member/access.ts'
import { touchMember } from '../member/queries.ts'
import { readConditions } from '../member/rules.ts'
import { Member, memberExample } from '../member/schema.ts'
import { memberView } from '../member/views.ts'
import { changeTags, countTags, deleteTag, insertTags, listTags } from './queries.ts'
import { TagBatch, TagBatchResponse, TagPage, TagQuery, TagRef } from './schema.ts'

const listMemberTags = declareFor('staff', 'members', {
  id: 'listMemberTags',
  route: 'GET /members/tags',
  summary: 'List member tags',
  description: 'Lists the tags that members have, with the number of members for each.',
  query: TagQuery,
  returns: TagPage,
  async handle(context) {
    const { db, school } = context
    const { rows, after } = parsePage(context)
    const found = await listTags(db, school.id, rows, after?.[0])
    const total = () => countTags(db, school.id)
    return buildPage(context, found, {
      readPosition: ({ tag }) => [tag],
      renderViews: rows => rows.map(row => row),
      total,
    })
  },
})

// A tag in a path is one that could be kept; anything else names no tag.
const tagIn = (text: string): string => {
  const [tag] = cleanTags([text])
  if (tag === undefined) throw new Refusal(notFound, 'This is not a tag.')
  return tag
}

const addMemberTag = declareFor('staff', 'members', {
  id: 'addMemberTag',
  route: 'PUT /members/:member_id/tags/:tag',
  summary: 'Add a tag',
  description: 'Adds a tag to a member. Tags are stored in lower case; adding one that the member has changes nothing.',
  params: TagRef,
  returns: Member,
  fails: [conflict],
  example: { params: { ...memberExample, tag: 'open day' } },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    const tag = tagIn(params.tag)
    if (row.tags.length >= 50 && !row.tags.includes(tag)) throw new Refusal(conflict, 'A member has at most 50 tags.')
    if ((await insertTags(db, school.id, row.id, [tag])) === 0) return memberView(row)
    const stored = await touchMember(db, school.id, row.id)
    changed({ ids: [toId('mem', row.id)], fields: ['tags'], revision: stored.revision, memberId: row.id })
    record({ type: 'member.tag_added', payload: { member_id: toId('mem', row.id) } })
    return memberView(stored)
  },
})

const removeMemberTag = declareFor('staff', 'members', {
  id: 'removeMemberTag',
  route: 'DELETE /members/:member_id/tags/:tag',
  summary: 'Remove a tag',
  description: 'Removes a tag from a member. Removing one that the member does not have changes nothing.',
  params: TagRef,
  returns: Member,
  example: { params: { ...memberExample, tag: 'open day' } },
  async handle({ db, school, caller, params, changed, record }) {
    const row = await lockMemberByRef(db, school, params.member_id)
    checkMayTouch(caller.member, row)
    if ((await deleteTag(db, school.id, row.id, tagIn(params.tag))) === 0) return memberView(row)
    const stored = await touchMember(db, school.id, row.id)
    changed({ ids: [toId('mem', row.id)], fields: ['tags'], revision: stored.revision, memberId: row.id })
    record({ type: 'member.tag_removed', payload: { member_id: toId('mem', row.id) } })
    return memberView(stored)
  },
})

const createMemberTagBatch = declareFor('staff', 'members', {
  id: 'createMemberTagBatch',
  route: 'POST /members/tags/batches',
  summary: 'Tag members in bulk',
  description:
    'Adds and removes tags on every member that matches a filter. Owners are left out, in the counts too, unless an owner sends the request. With `dry_run=true` the response says how many members would be updated. Sending the same request again changes nothing more.',
  body: TagBatch,
  returns: TagBatchResponse,
  example: { body: { filter: { status: 'active' }, add: ['spring term'] } },
  async handle({ db, school, caller, body, changed, record }) {
    const [add, remove] = [cleanTags(body.add ?? []), cleanTags(body.remove ?? [])]
    if (add.some(tag => remove.includes(tag)))
      throw new Refusal(invalidBody, 'A tag can be added or removed, not both.', {
        errors: [{ pointer: '/remove', code: 'contradiction', message: 'contains a tag that is also in add' }],
      })
    const mayTouchOwners = caller.member.role === 'owner'
    const result = await changeTags(db, school.id, readConditions(body.filter), { add, remove, mayTouchOwners })
    const ids = result.changed.map(id => toId('mem', id))
    if (ids.length > 0) {
      changed({ ids, fields: ['tags'] })
      record({ type: 'member.batch_tagged', payload: { count: ids.length } })
    }
    return { updated: ids.length, unchanged: result.matched - ids.length }
  },
})

/** Tags of members, in the order of the documentation. */
export const tagOperations = [listMemberTags, addMemberTag, removeMemberTag, createMemberTagBatch]
