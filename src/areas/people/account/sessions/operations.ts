import type { Static } from 'typebox'
import { getNamedMember, MemberRef, memberExample } from '#src/areas/people/members/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, operation } from '#src/contract/operation.ts'
import { buildPage, type Listing, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { endMemberSession, listSessions, type OpenSession, readReadingSettings } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { rowsAfter } from '../rules.ts'
import { sessionEffect } from './rules.ts'
import { type Session, SessionPage, SessionQuery, SessionRef } from './schema.ts'

const renderView = (row: OpenSession): Static<typeof Session> => ({
  id: row.id,
  browser: row.browser,
  created_at: row.created_at,
  updated_at: row.auth_time,
  signed_in_at: row.auth_time,
})

const buildPosition = (row: OpenSession): [string, string] => [row.auth_time.toISOString(), row.id]

const readSessions = async (context: SchoolContext & Listing, memberId: string) => {
  const { db, school } = context
  const { rows, after } = parsePage(context)
  // All of them: there are few, since a session ends after two weeks.
  const all = await listSessions(db, school.id, memberId)
  const found = rowsAfter(all, buildPosition, after).slice(0, rows)
  return buildPage(context, found, {
    readPosition: buildPosition,
    renderViews: rows => rows.map(renderView),
    total: async () => all.length,
  })
}

const listAccountSessions = declareFor('self', 'account', {
  id: 'listAccountSessions',
  route: 'GET /account/sessions',
  summary: 'List your sessions',
  description: 'Lists the browsers in which you are signed in, the most recently used first.',
  query: SessionQuery,
  returns: SessionPage,
  handle: context => readSessions(context, context.caller.member.id),
})

const listMemberSessions = operation({
  id: 'listMemberSessions',
  summary: "List a member's sessions",
  description: 'Lists the browsers in which a member is signed in, the most recently used first.',
  who: 'staff',
  mode: 'read',
  params: MemberRef,
  query: SessionQuery,
  returns: SessionPage,
  example: { params: memberExample },
  async handle(context) {
    const { id } = await getNamedMember(context.db, context.school, context.params.member_id)
    return readSessions(context, id)
  },
})

const deleteAccountSession = declareFor('self', 'account', {
  id: 'deleteAccountSession',
  route: 'DELETE /account/sessions/:session_id',
  summary: 'End a session',
  description: 'Signs you out in one browser.',
  confirm: 'person',
  params: SessionRef,
  returns: undefined,
  example: { params: { session_id: exampleFrom('ses', 'listAccountSessions') } },
  async handle({ db, school, caller, params, changed, record }) {
    const memberId = caller.member.id
    const id = params.session_id
    const session = (await listSessions(db, school.id, memberId)).find(one => one.id === id)
    if (session === undefined || (await endMemberSession(db, school.id, memberId, id)) === 0)
      throw new Refusal(notFound, 'There is no such session.')
    changed({ ids: [toId('ses', params.session_id)], fields: ['ended_at'] })
    const { browser, auth_time } = session
    const { timeZone } = await readReadingSettings(db, school.id, memberId)
    record({
      type: 'session.deleted',
      payload: { session_id: toId('ses', params.session_id), member_id: toId('mem', memberId) },
      effects: { access: sessionEffect(browser, auth_time, timeZone) },
    })
    return undefined
  },
})

/** The operations of sessions; no app can list those of others. */
export const sessionOperations = [listAccountSessions, deleteAccountSession, listMemberSessions]
