import { hash } from 'node:crypto'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed, preconditionRequired } from '#src/contract/problems.ts'

/** The strong ETag of a response: the resource's revision, if it has one, and a hash of the bytes. */
export const computeEtag = (value: unknown, bytes: string): string => {
  const digest = hash('sha256', bytes, 'base64url').slice(0, 16)
  const revision = typeof value === 'object' && value !== null && 'revision' in value ? `${value.revision}-` : ''
  return `"${revision}${digest}"`
}

/** The condition in If-Match: none, that the resource exists (`any`), or one of these revisions. */
type Match = 'none' | 'any' | ReadonlySet<number>

/** Reads If-Match; refuses when it is missing and the operation requires it. */
export const readMatch = (operation: Operation, header: string | undefined): Match => {
  if (operation.ifMatch === undefined) return 'none'
  if (header === undefined) {
    if (operation.ifMatch === 'honoured') return 'none'
    throw new Refusal(preconditionRequired, 'Send the ETag that this write changes in If-Match.')
  }
  if (header.trim() === '*') return 'any'
  const revisions = header.split(',').map(tag => /^\s*"(\d{1,9})-[\w-]{16}(?:-br|-gz)?"\s*$/.exec(tag)?.[1])
  return new Set(revisions.filter(revision => revision !== undefined).map(Number))
}

/** Refuses when If-Match does not name the current revision; the response has the current ETag. */
export const requireMatch = async (
  match: Match,
  revision: number,
  currentEtag: () => Promise<string>,
): Promise<void> => {
  if (typeof match === 'string' || match.has(revision)) return
  throw new Refusal(preconditionFailed, 'The resource has changed since the ETag in If-Match.', {
    headers: { etag: await currentEtag() },
  })
}
