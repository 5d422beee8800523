import type { TestApp } from '../app.ts'
import type { Post } from './provider.ts'

/** Posts notices to the webhook of the first school, over HTTP. */
export const createPost =
  (readApp: () => TestApp, provider: string): Post =>
  async ({ query, headers, body }) => {
    const path = `/webhooks/${provider}${query === '' ? '' : `?${query}`}`
    return (await readApp().send({ method: 'POST', path, headers, body })).status
  }
