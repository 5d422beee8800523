import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { jsonBody, send, type TestReply } from './http.ts'

/** A client whose registration was acknowledged. */
export type Kept = { readonly id: string; readonly uri: string }

/** Registers clients one after the other until it is aborted; collects the replies, and the acknowledged clients. */
export const registerUntil = async (
  signal: AbortSignal,
  port: number,
  writer: number,
  kept: Kept[],
  answers: TestReply[],
): Promise<void> => {
  const host = `127.0.0.1:${port}`
  for (let turn = 0; !signal.aborted; turn++) {
    const uri = `http://127.0.0.1:7777/l${writer}/t${turn}`
    // Each from its own network, since new clients are limited per network.
    const from = { 'x-forwarded-for': `10.${writer}.${(turn >> 7) & 255}.${turn & 127}` }
    const reply = await send(port, { ...jsonBody('POST', '/api/oauth/register', { redirect_uris: [uri] }, from), host })
    answers.push(reply)
    if (reply.status === 201) kept.push({ id: reply.json.client_id, uri })
    // Waits as a real client does.
    await pause(reply.status === 503 ? 200 : 100)
  }
}

/** Asserts that every acknowledged client still exists. */
export const requireKept = async (port: number, kept: readonly Kept[]): Promise<void> => {
  assert.ok(kept.length > 0)
  for (const { id, uri } of kept) {
    // An unknown client is refused first; a known one is refused for a missing parameter.
    const path = `/oauth/authorize?scope=&client_id=${id}&redirect_uri=${encodeURIComponent(uri)}`
    // Pages are at localhost (decision 231).
    const reply = await send(port, { path, host: `localhost:${port}` })
    assert.equal(reply.status, 303, `${id} was acknowledged and is gone: ${reply.text}`)
  }
}
