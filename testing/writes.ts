import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { jsonBody, send, type TestReply } from './http.ts'

/** A client whose registration was acknowledged. */
export type Kept = { readonly id: string; readonly uri: string }

/** Registers clients one after the other until it is aborted; collects the answers, and what was acknowledged. */
export const registerUntil = async (
  signal: AbortSignal,
  port: number,
  lane: number,
  kept: Kept[],
  answers: TestReply[],
): Promise<void> => {
  const host = `127.0.0.1:${port}`
  for (let turn = 0; !signal.aborted; turn++) {
    const uri = `http://127.0.0.1:7777/l${lane}/t${turn}`
    // Each from a network of its own, since new clients are limited per network.
    const from = { 'x-forwarded-for': `10.${lane}.${(turn >> 7) & 255}.${turn & 127}` }
    const reply = await send(port, { ...jsonBody('POST', '/api/oauth/register', { redirect_uris: [uri] }, from), host })
    answers.push(reply)
    if (reply.status === 201) kept.push({ id: reply.json.client_id, uri })
    // As a client that waits does.
    await pause(reply.status === 503 ? 200 : 100)
  }
}

/** Asks for every client that was acknowledged. */
export const requireKept = async (port: number, kept: readonly Kept[]): Promise<void> => {
  assert.ok(kept.length > 0)
  for (const { id, uri } of kept) {
    // An unknown client is told so before anything else; a known one is refused for what its request lacks.
    const path = `/oauth/authorize?scope=&client_id=${id}&redirect_uri=${encodeURIComponent(uri)}`
    const reply = await send(port, { path, host: `127.0.0.1:${port}` })
    assert.equal(reply.status, 303, `${id} was acknowledged and is gone: ${reply.text}`)
  }
}
