import type { Group } from './group.ts'
import { compareWithBare } from './school.ts'

const rival = 'a bare handler that returns a constant'

/** Pages of the console by an owner: the home page, the list of people and the editor of a course, each compared with a constant. */
export const consolePages = (): Promise<Group> =>
  compareWithBare(async ({ app, bySession }) => {
    const ada = await app.actor('ada', { scopes: ['courses:read'] })
    const { json: course } = await ada.get('/courses/slug:sourdough-from-scratch')
    const paths = ['/staff', '/staff/people', `/staff/courses/${course.id}`]
    const found = await Promise.all(
      paths.map(async path => {
        const requests = await bySession(path, 'ada')
        const { status, headers, text } = await app.send({ path, headers: requests[0]?.headers ?? {} })
        if (status !== 200) throw new Error(`${path} answers ${status}`)
        return { path, requests, type: String(headers['content-type']), body: text }
      }),
    )
    return {
      cases: found.map(({ path, requests, body }) => ({
        title: `GET ${path.replace(course.id, 'COURSE')} by an owner, ${Math.round(Buffer.byteLength(body) / 1000)} KB`,
        rival,
        target: 0.02,
        requests,
        bare: [{ path, headers: {} }],
      })),
      constants: Object.fromEntries(found.map(({ path, type, body }) => [path, { type, body }])),
    }
  })
