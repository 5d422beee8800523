import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

const NAMES = ['Mia Torres', 'Mia Torres-Lima']

/** Changes of one row by a token, with the audit entry, the fact and the words for search that come with each. */
export const writes = (): Promise<Group> =>
  compareWithBare(({ memberIds, byToken, rowId }) => {
    const changed = memberIds.slice(0, 50)
    const bodies = NAMES.map(name => JSON.stringify({ name }))
    return {
      cases: [
        {
          title: 'PATCH /members/{id} by token',
          rival: 'a bare handler with one prepared update',
          requests: bodies.flatMap(body => changed.flatMap(id => byToken(`/members/${id}`, { method: 'PATCH', body }))),
          bare: bodies.flatMap(body =>
            changed.map(id => ({
              method: 'PATCH' as const,
              path: `/members/${rowId(id)}`,
              headers: { 'content-type': 'application/json' },
              body,
            })),
          ),
        },
      ],
    }
  })
