import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from './actor.ts'
import { fetched } from './uploads.ts'

/** Asks for the copy of somebody's data and waits for it; gives what it says, and its bytes as a text. */
export const copyOf = async (actor: Actor) => {
  const asked = await actor.write('POST', '/account/exports')
  assert.equal(asked.status, 202, asked.text)
  for (const end = performance.now() + 20_000; ; ) {
    const { json } = await actor.get(`/account/exports/${asked.json.id}`)
    if (json.status === 'ready') {
      const text = (await fetched(json.file.url)).bytes.toString('utf8')
      return { text, data: JSON.parse(text).data }
    }
    assert.ok(performance.now() < end, `the copy is ${json.status}`)
    await pause(20)
  }
}
