import Type from 'typebox'
import { Closed } from '#src/kit/shapes.ts'
import type { Caller } from './caller.ts'
import type { Db } from './db.ts'
import { buildRouted } from './operation.ts'
import { buildPage, PageOf, PageQuery, parsePage } from './pagination.ts'
import type { ScopeName } from './scopes.ts'

type Position = { readonly rows: number; readonly after: readonly string[] | undefined }

/** How the tags of resources are read; `db/tags.ts` makes it for a table. */
export type StoredTags = {
  /** The tags of the resources that a caller is shown in lists, with their number, in the order of the letters. */
  list(db: Db, schoolId: string, caller: Caller, position: Position): Promise<{ tag: string; count: number }[]>
  count(db: Db, schoolId: string, caller: Caller): Promise<number>
}

/** The operation that lists the tags of resources, with how many of those that the caller can list have each. */
export const tagged = <Scope extends ScopeName>(stored: StoredTags, name: 'course' | 'post', scope: Scope) => {
  const id = `${name === 'course' ? 'Course' : 'Post'}Tag`
  const several = `${name}s`
  const tag = Type.String({ description: `The value for the parameter \`tag\` of GET /${several}` })
  const count = Type.Integer({ minimum: 1, description: `The number of ${several} that the caller can list` })
  const shape = Closed(id, { tag, [`${name}_count`]: count })
  return buildRouted({
    id: `list${id}s`,
    route: `GET /${several}/tags`,
    summary: `List ${name} tags`,
    description: `Lists the tags of ${several} with the number of ${several} for each. Only ${several} that the caller can list are counted.`,
    scope,
    who: 'anyone',
    mode: 'read',
    query: Type.Object(PageQuery),
    returns: PageOf(shape, `${id}Page`),
    async handle(context) {
      const { db, school, caller } = context
      return buildPage(context, await stored.list(db, school.id, caller, parsePage(context)), {
        readPosition: row => [row.tag],
        renderViews: rows => rows.map(row => ({ tag: row.tag, [`${name}_count`]: row.count })),
        total: () => stored.count(db, school.id, caller),
      })
    },
  })
}
