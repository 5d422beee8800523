import type { Reply } from '#src/contract/endpoint.ts'
import { pageHeaders } from '#src/kit/html-page.ts'

/** What a module of a page asked for, as JSON with the headers of pages: nobody frames or keeps it. */
export const answerJson = (body: object, status = 200, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { ...pageHeaders, 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
