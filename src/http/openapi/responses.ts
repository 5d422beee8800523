import { ConfirmationRequired } from '#src/contract/confirmation.ts'
import type { Operation } from '#src/contract/operation.ts'
import { listColumns } from '../csv.ts'
import { DryRunAnswer } from '../dry-run.ts'
import type { Hoist, Json } from './components.ts'
import { getExample } from './examples.ts'
import { confirmationHeaders, dryRunHeaders, notModifiedHeaders, successHeaders } from './headers.ts'

const DESCRIPTIONS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

const takesDryRun = ({ method, mode }: Operation): boolean => method !== 'GET' && mode === 'write'

const describeCsv = (operation: Operation): Json => {
  if (operation.csv === undefined) return {}
  const description = `All rows, with ${listColumns(operation).join(', ')}. The last line is \`# complete\`.`
  return { 'text/csv': { schema: { type: 'string', description } } }
}

// A dry run has the status 200, so a write with the status 200 has two possible bodies.
const buildSchema = (operation: Operation, hoist: Hoist): Json => {
  const own = operation.returns === undefined ? {} : hoist(operation.returns)
  return takesDryRun(operation) && operation.status === 200 ? { anyOf: [own, hoist(DryRunAnswer)] } : own
}

const describeSuccess = (operation: Operation, hoist: Hoist): Json => {
  const headers = successHeaders(operation)
  if (operation.returns === undefined) return { description: 'Done', headers }
  const example = getExample(operation.id)
  const json = { schema: buildSchema(operation, hoist), ...(example === undefined ? {} : { example }) }
  return {
    description: DESCRIPTIONS[operation.status] ?? 'OK',
    headers,
    content: { 'application/json': json, ...describeCsv(operation) },
  }
}

/** The responses that operations share, without refusals. */
export const sharedResponses = (hoist: Hoist): Json => ({
  NotModified: { description: 'Not changed since the ETag in If-None-Match', headers: notModifiedHeaders() },
  DryRun: {
    description: 'With `dry_run=true`: what the write would do. Nothing was changed',
    headers: dryRunHeaders(),
    content: { 'application/json': { schema: hoist(DryRunAnswer) } },
  },
  ConfirmationRequired: {
    description: 'Nothing has changed yet: the person has to approve the write at the `url` of the confirmation',
    headers: confirmationHeaders(),
    content: { 'application/json': { schema: hoist(ConfirmationRequired) } },
  },
})

const refer = (name: string): Json => ({ $ref: `#/components/responses/${name}` })

/** The responses of an operation, without refusals. */
export const describeSuccesses = (operation: Operation, hoist: Hoist): Json => ({
  ...(takesDryRun(operation) ? { 200: refer('DryRun') } : {}),
  [operation.returns === undefined ? 204 : operation.status]: describeSuccess(operation, hoist),
  ...(operation.confirm === undefined ? {} : { 202: refer('ConfirmationRequired') }),
  ...(operation.method === 'GET' ? { 304: refer('NotModified') } : {}),
})
