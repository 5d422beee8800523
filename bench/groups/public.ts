import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

const PATHS = { '/api/v1/school': 0.5, '/api/v1/courses': 0.5, '/courses': 0.5 } as const

// A page that is rendered for each request, since it says what holds for who is signed in.
const OWN = '/courses/sourdough-from-scratch'

/**
 * What everybody reads without a token, and a page of somebody who is signed in, compared with a handler that returns the bytes of
 * a visitor.
 */
export const publicReads = (): Promise<Group> =>
  compareWithBare(async ({ anonymous, bySession, read }) => {
    const paths = Object.entries(PATHS)
    const found = await Promise.all([...Object.keys(PATHS), OWN].map(path => read(path)))
    const rival = 'a bare handler that returns a constant'
    const cases = paths.flatMap(([path, target], index) => {
      const bare = [{ path, headers: {} }]
      const unchanged = { 'if-none-match': found[index]?.etag ?? '' }
      return [
        { title: `GET ${path} without a token`, rival, target, requests: anonymous(path), bare },
        { title: `the same, unchanged (304)`, rival, target, requests: anonymous(path, unchanged), bare },
      ]
    })
    const own = {
      title: `GET ${OWN} by somebody who is signed in`,
      rival,
      target: 0.05,
      requests: await bySession(OWN),
      bare: [{ path: OWN, headers: {} }],
    }
    const constants = [...Object.keys(PATHS), OWN].map((path, index) => [path, found[index] as never])
    return { cases: [...cases, own], constants: Object.fromEntries(constants) }
  })
