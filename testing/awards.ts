import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Actor } from './actor.ts'
import type { TestReply } from './http.ts'

/** The course of the demo data that has a certificate template. */
export const SOURDOUGH = '/courses/slug:sourdough-from-scratch'

/** Returns the body of a reply; fails unless it has this status. */
export const must = async (reply: Promise<TestReply>, status = 200) => {
  const answer = await reply
  assert.equal(answer.status, status, answer.text)
  return answer.json
}

/** Returns the status of a refusal, its code, and the pointers and reasons of its field errors. */
export const readCodes = ({ status, json }: TestReply): unknown[] => [
  status,
  json.code,
  ...(json.errors ?? []).map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`),
]

/** Creates a member with this name; returns the actor and the id. */
export const newcomer = async (actor: Actor, name: string): Promise<string> => {
  const body = { email: `m${randomUUID()}@crumb.example`, name, send_invitation: false }
  return (await must(actor.write('POST', '/members', body), 201)).id
}

/** Awards a certificate of the course to a member. */
export const awardTo = async (actor: Actor, memberId: string, more: Readonly<Record<string, unknown>> = {}) => {
  const reply = await actor.write('POST', `${SOURDOUGH}/certificates`, { member_id: memberId, ...more })
  assert.equal(reply.status, 201, reply.text)
  assert.match(String(reply.headers.location), new RegExp(`/api/v1/certificates/${reply.json.id}$`))
  return reply.json
}
