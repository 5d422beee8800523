import type { Files } from '#src/contract/store.ts'

/**
 * The origin of the bucket with the files, after a space, for a policy; empty without a bucket. /files/… redirects to it, and
 * browsers apply img-src and media-src to the redirect too.
 */
export const bucketOrigin = async ({ store }: Files): Promise<string> => {
  if (store.direct === undefined) return ''
  const signed = await store.direct.signGet('origin', { contentType: 'image/webp', disposition: 'inline' }, 60)
  return ` ${new URL(signed).origin}`
}
