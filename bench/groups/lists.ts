import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

/** Pages of lists by a token. */
export const lists = (): Promise<Group> =>
  compareWithBare(({ byToken }) => ({
    cases: [
      {
        title: 'GET /members, a page of 25, by token',
        rival: 'a bare handler with one prepared statement',
        requests: byToken('/members'),
        bare: [{ path: '/members', headers: {} }],
      },
    ],
  }))
