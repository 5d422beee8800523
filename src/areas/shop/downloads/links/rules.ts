import { problem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { hmac, sameBytes } from '#src/kit/crypto.ts'

/** The member has used all downloads of the file. */
export const downloadLimitReached = problem(
  409,
  'download_limit_reached',
  'All downloads of this file are used',
  'The school lets each member download the file a number of times, counted when the first byte of a link is sent. Continuing a download with the same link is not counted. Ask the school for more.',
)

/** The refusal of a link that is unknown, has expired or whose member has no access any more. */
export const noDownload = (): Refusal => new Refusal(notFound, 'There is no such file, or its link has expired.')

/** The refusal when no downloads are left. */
export const noneLeft = (): Refusal => new Refusal(downloadLimitReached, 'You have used all downloads of this file.')

/** The number of downloads that are left; null without a limit. */
export const computeLeft = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used)

/** The purpose of the key that download links are signed with. */
export const DOWNLOADS = 'downloads'

type Link = { readonly schoolId: string; readonly linkId: string }

const computeMac = (key: Buffer, { schoolId, linkId }: Link): Buffer => hmac(key, ['GET', schoolId, linkId].join('\n'))

/** The signature of a link. */
export const computeSignature = (key: Buffer, link: Link): string => computeMac(key, link).toString('base64url')

/** Whether a link was signed by us. */
export const isSignedLink = (key: Buffer, link: Link, signature: string): boolean =>
  /^[\w-]{43}$/.test(signature) && sameBytes(computeMac(key, link), Buffer.from(signature, 'base64url'))
