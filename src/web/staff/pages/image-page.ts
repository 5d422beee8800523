import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { pageHeaders } from '#src/kit/html-page.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import type { StaffContext } from '../audience.ts'
import type { ConsoleView } from '../console/frame.ts'
import { staffText } from './text.ts'

/** A page above another one. */
export type Above = { readonly path: string; readonly name: string }

const crumbs = (above: readonly Above[], { t }: StaffContext): Html =>
  html`<nav class="crumbs" aria-label="${t(staffText.path)}"><ol>
${above.map(({ path, name }) => html`<li><a href="${path}"><bdi>${name}</bdi></a></li>\n`)}</ol></nav>
`

/** A wide page below others, whose images may come from the store of the files. */
export const frameWithImages = async (
  context: StaffContext,
  { above = [], ...page }: Omit<ConsoleView, 'isWide' | 'above'> & { above?: readonly Above[] },
): Promise<Reply> => {
  const reply = context.frame({ ...page, isWide: true, above: above.length > 0 ? crumbs(above, context) : undefined })
  const policy = String(pageHeaders['content-security-policy'])
  const images = `img-src 'self'${await bucketOrigin(context.parts.files)}`
  return {
    ...reply,
    headers: { ...reply.headers, 'content-security-policy': policy.replace("img-src 'self'", images) },
  }
}
