import Type from 'typebox'
import { operation } from '#src/contract/operation.ts'
import { buildPage, PageOf, PageQuery, parsePage } from '#src/contract/pagination.ts'
import { findAppName } from '#src/identity/index.ts'
import { Closed, Id, Instant } from '#src/kit/shapes.ts'
import { countAppActs, listAppActs } from './queries.ts'

const AppAct = Closed('AppAct', {
  id: Id('aud'),
  client_id: Type.String(),
  client_name: Type.String({ description: 'What the app calls itself; empty where it has no name' }),
  operation: Type.String(),
  created_at: Instant,
})

/** A page of what apps did in the name of a person. */
export const AppActPage = PageOf(AppAct, 'AppActPage')

const listAccountAppActs = operation({
  id: 'listAccountAppActs',
  summary: 'List what apps did in your name',
  description: 'Lists every write that an app made in your name, newest first: which app, when, and what.',
  who: 'self',
  mode: 'read',
  query: Type.Object({ ...PageQuery }),
  returns: AppActPage,
  async handle(context) {
    const { db, school, caller } = context
    const memberId = caller.member.id
    const { rows, after } = parsePage(context)
    const found = await listAppActs(db, school.id, memberId, { rows, before: after?.[0] })
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: async rows => {
        const ids = [...new Set(rows.map(({ client_id: id }) => id))]
        const names = new Map(
          await Promise.all(ids.map(async id => [id, await findAppName(db, school.id, id)] as const)),
        )
        return rows.map(({ id, recorded_at: created_at, client_id, operation: name }) => ({
          id,
          client_id,
          client_name: names.get(client_id) ?? '',
          operation: name,
          created_at,
        }))
      },
      total: () => countAppActs(db, school.id, memberId),
    })
  },
})

/** What apps wrote in the name of the person, which the audit log has. */
export const appActOperations = [listAccountAppActs]
