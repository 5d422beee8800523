import { isAtLeast } from '#src/contract/caller.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, payloadTooLarge, signInRequired } from '#src/contract/problems.ts'
import { isSameSite } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { FormPart } from '#src/kit/multipart.ts'
import { createContext, type PageContext, type PageParts } from './context.ts'
import type { Audience, PageDeclaration } from './declare.ts'
import { carriesToken, readSession, refused } from './request.ts'

const MAX_FIELD = 1000
const MAX_FIELDS = 10

const tooLong = (): Refusal =>
  new Refusal(payloadTooLarge, 'The fields of the form are too long.', { headers: { connection: 'close' } })

const readField = async ({ content }: FormPart): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_FIELD) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

type Receive<Context> = (context: Context, fields: Pairs, content: FormPart['content']) => Promise<Reply>

/** A form with a few fields and one file after them, whose bytes are not read before `judge` has accepted the fields. */
const readStream = async (
  parts: AsyncIterable<FormPart>,
  judge: (fields: Pairs) => void,
  receive: (fields: Pairs, content: FormPart['content']) => Promise<Reply>,
): Promise<Reply> => {
  const fields: (readonly [string, string])[] = []
  let reply: Reply | undefined
  for await (const part of parts) {
    if (part.filename === undefined) {
      if (fields.length >= MAX_FIELDS) throw tooLong()
      fields.push([part.name, await readField(part)])
    } else if (reply === undefined) {
      judge(fields)
      reply = await receive(fields, part.content)
    }
  }
  if (reply === undefined) throw new Refusal(invalidRequest, 'The form has no file.')
  return reply
}

/**
 * Declares what the module of a page sends a file to, which is handled while it arrives, for an audience that is signed in. The token
 * is checked before the first byte of the file; nothing is kept for who has to sign in, who gets 403.
 */
export const streamedForm =
  <Parts extends PageParts, More>(
    route: `POST /${string}`,
    audience: Audience<Parts, More>,
    receive: Receive<PageContext<Parts> & More>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request) {
        const session = await readSession(request)
        if (session === undefined)
          throw new Refusal(signInRequired, 'Nobody is signed in.', { headers: { connection: 'close' } })
        if (!isSameSite(request)) throw refused(request, [{ session }])
        const context = createContext(request, parts, session)
        const seen = await audience.admit(context)
        if (typeof seen === 'object' && seen !== null && 'status' in seen) return seen
        const { id: memberId, role } = session.member
        const judge = (fields: Pairs): void => {
          if (!carriesToken(request, parts.secret, fields, [{ session }])) throw refused(request, [{ session }])
        }
        const sender = { memberId, isPrivileged: isAtLeast(role, 'lecturer'), maxBytes: audience.maxBytes ?? 0 }
        return request.formParts(sender, all =>
          readStream(all, judge, (fields, content) => receive({ ...context, ...seen }, fields, content)),
        )
      },
    })
