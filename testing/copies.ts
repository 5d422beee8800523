import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from './actor.ts'
import { fetched } from './uploads.ts'

/** Requests an export of a person's data and waits for it; returns its content, and its bytes as text. */
export const requestCopy = async (actor: Actor) => {
  const reply = await actor.write('POST', '/account/exports')
  assert.equal(reply.status, 202, reply.text)
  for (const end = performance.now() + 20_000; ; ) {
    const { json } = await actor.get(`/account/exports/${reply.json.id}`)
    if (json.status === 'ready') {
      const { status, bytes } = await fetched(json.file.url)
      const text = bytes.toString('utf8')
      assert.equal(status, 200, text)
      return { text, data: JSON.parse(text).data }
    }
    assert.ok(performance.now() < end, `the copy is ${json.status}`)
    await pause(20)
  }
}
