import type { TestApp } from './app.ts'
import { jsonBody, type TestReply, type TestRequest } from './http.ts'

/** Creates two webhooks of the app behind a token, if it may: one with a delivery, and one that the example deletes. */
export const addWebhooks = async (token: string, ask: (request: TestRequest) => Promise<TestReply>): Promise<void> => {
  const post = (path: string, body: object) =>
    ask(jsonBody('POST', `/api/v1${path}`, body, { authorization: `Bearer ${token}` }))
  const webhook = { url: 'https://hooks.example.org/school', types: ['school.updated'] }
  const made = await post('/webhooks', webhook)
  if (made.status !== 201) return
  await post(`/webhooks/${made.json.id}/tests`, { type: 'school.updated' })
  await post('/webhooks', { ...webhook, description: 'Bakery till' })
}

/** Creates a webhook of an app of Ada with a delivery that waits; returns the paths of their pages in the console. */
export const addShownWebhook = async (
  app: TestApp,
): Promise<{ readonly webhook: string; readonly delivery: string }> => {
  const ada = await app.actor('ada', { scopes: ['school:read'] })
  const { json } = await ada.write('POST', '/webhooks', {
    url: 'https://hooks.example.org/school',
    types: ['school.*'],
  })
  const { json: test } = await ada.write('POST', `/webhooks/${json.id}/tests`, { type: 'school.updated' })
  const webhook = `/staff/webhooks/${json.id}`
  return { webhook, delivery: `${webhook}/deliveries/${test.id}` }
}
