import type { Reply } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'

/** Lets a page show what is at a path of the school's own host, or below it where the path ends with a slash, in a frame. */
export const allowFrame = (reply: Reply, { siteOrigin }: Pick<School, 'siteOrigin'>, path: string): Reply => ({
  ...reply,
  headers: {
    ...reply.headers,
    'content-security-policy': String(reply.headers?.['content-security-policy']).replace(
      '; ',
      `; frame-src ${siteOrigin}${path}; `,
    ),
  },
})
