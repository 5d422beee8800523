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
