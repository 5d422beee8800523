import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

const PATHS = { '/api/v1/school': 0.5, '/api/v1/courses': 0.5, '/courses': 0.5 } as const

/** What everybody reads without a token, compared with a handler that returns the same bytes. */
export const publicReads = (): Promise<Group> =>
  compareWithBare(async ({ anonymous, read }) => {
    const paths = Object.entries(PATHS)
    const found = await Promise.all(paths.map(([path]) => read(path)))
    const rival = 'a bare handler that returns a constant'
    const cases = paths.flatMap(([path, target], index) => {
      const bare = [{ path, headers: {} }]
      const unchanged = { 'if-none-match': found[index]?.etag ?? '' }
      return [
        { title: `GET ${path} without a token`, rival, target, requests: anonymous(path), bare },
        { title: `the same, unchanged (304)`, rival, target, requests: anonymous(path, unchanged), bare },
      ]
    })
    return { cases, constants: Object.fromEntries(paths.map(([path], index) => [path, found[index] as never])) }
  })
