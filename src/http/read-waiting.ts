import type { Caller } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { checkAgain } from './check-again.ts'
import { whileAway } from './entrance.ts'
import type { OperationRequest, ServerDeps } from './operation-call.ts'

/** A reply, and how long to wait for more after which position, where it is not complete yet. */
type Page = {
  readonly reply: Reply
  readonly wait?: { readonly seconds: number; readonly after: string } | undefined
}

/** Reads as a caller, after a position, or after that of the request. */
type ReadPage = (caller: Caller, after?: string) => Promise<Page>

/**
 * Answers a read with its first page that is complete, or with the last one when the time is over, the client has gone or the
 * server closes. The token, the scope and the role are checked again before each read and before the answer.
 */
export const readWaiting = async (
  server: ServerDeps,
  call: OperationRequest,
  caller: Caller,
  read: ReadPage,
): Promise<Reply> => {
  const { raw, school } = call
  const readAt = performance.now()
  let page = await read(caller)
  if (page.wait === undefined || caller.grantId === undefined) return page.reply
  const place = server.waitingRoom.enter({ schoolId: school.id, grantId: caller.grantId, socket: raw.socket, readAt })
  if (place === undefined) return page.reply
  const end = readAt + page.wait.seconds * 1000
  try {
    for (;;) {
      const wake = await whileAway(raw, () => place.next(end - performance.now()))
      if (raw.socket.destroyed) return page.reply
      const now = await checkAgain(server, call)
      if (wake === 'read') page = await read(now, page.wait?.after)
      if (wake === 'answer' || page.wait === undefined || performance.now() >= end) return page.reply
    }
  } finally {
    place.leave()
  }
}
