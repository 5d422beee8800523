import type { Reply } from '#src/contract/endpoint.ts'
import { pageHeaders } from '#src/kit/html-page.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import type { StaffContext } from '../audience.ts'
import type { ConsoleView } from '../console/frame.ts'

/** A wide page below others, whose images may come from the store of the files. */
export const frameWithImages = async (context: StaffContext, page: ConsoleView): Promise<Reply> => {
  const reply = context.frame({ isWide: true, ...page })
  const policy = String(pageHeaders['content-security-policy'])
  const images = `img-src 'self'${await bucketOrigin(context.parts.files)}`
  return {
    ...reply,
    headers: { ...reply.headers, 'content-security-policy': policy.replace("img-src 'self'", images) },
  }
}
