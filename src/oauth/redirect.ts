import type { Reply } from '#src/contract/endpoint.ts'

/** A redirect back to the client with these parameters; undefined ones are left out (RFC 6749 §4.1.2, RFC 9207). */
export const redirectToClient = (
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Reply => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  const separator = redirectUri.includes('?') ? '&' : '?'
  return {
    status: 303,
    headers: {
      location: `${redirectUri}${separator}${query}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  }
}

/** A redirect within the school. */
export const redirectWithin = (path: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: {
    location: path,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
  },
})
