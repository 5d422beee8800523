import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

const RIVAL = 'a bare handler with one prepared statement'

/** Reads of one row by a token. */
export const reads = (): Promise<Group> =>
  compareWithBare(({ memberIds: [member = ''], byToken, rowId }) => ({
    cases: [
      {
        title: 'GET /members/{id} by token',
        rival: RIVAL,
        target: 0.65,
        requests: byToken(`/members/${member}`),
        bare: [{ path: `/members/${rowId(member)}`, headers: {} }],
      },
    ],
  }))
