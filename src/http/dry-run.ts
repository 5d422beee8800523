import Type from 'typebox'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { Effect } from '#src/contract/confirmation.ts'
import type { Db } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { describeEffects, type Fact } from '#src/contract/fact.ts'
import type { AnyOperation, Operation } from '#src/contract/operation.ts'
import { Closed } from '#src/kit/shapes.ts'
import { checkDeferred } from './queries.ts'

/** The response to a dry run, whatever the response to the write would be. */
export const DryRunAnswer = Closed('DryRun', {
  dry_run: Type.Literal(true),
  status: Type.Integer({ description: 'The status of the response to the write' }),
  result: Type.Unknown({
    description:
      'The body that the write would return, with null for a new id; null when there is no body or it must not be revealed',
  }),
  effects: Type.Array(Effect, { description: 'What the write would do to money, mail and access' }),
})

/** Thrown at the end of a dry run, so that everything it wrote is rolled back; carries what it may reveal. */
export class DryRun extends Error {
  /** The value that the write would return, encoded; undefined when there is none or it must not be revealed. */
  readonly result: unknown
  /** The facts that the write would record; none when they must not be revealed. */
  readonly facts: readonly Fact[]
  private constructor(result: unknown, facts: readonly Fact[]) {
    super('dry run')
    this.result = result
    this.facts = facts
  }

  /** The result and the facts of a write, after the deferred constraints were checked. */
  static async of(
    db: Db,
    { operation, caller }: { readonly operation: AnyOperation; readonly caller: Caller },
    result: unknown,
    facts: readonly Fact[],
  ): Promise<DryRun> {
    await checkDeferred(db)
    const isVeiled = operation.dryRun === 'veiled' || (operation.dryRun === 'veiled_unless_staff' && !isStaff(caller))
    return isVeiled ? new DryRun(undefined, []) : new DryRun(result, facts)
  }
}

// The resource was not created, so it has no id.
const withoutNewId = (operation: Operation, result: unknown): unknown =>
  operation.status === 201 && typeof result === 'object' && result !== null && 'id' in result
    ? { ...result, id: null }
    : result

/** The response to a dry run of an operation of the API. */
export const dryRunReply = (operation: Operation, { result, facts }: DryRun): Reply => ({
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'Authorization',
  },
  body: JSON.stringify({
    dry_run: true,
    status: operation.returns === undefined ? 204 : operation.status,
    result: result === undefined ? null : withoutNewId(operation, result),
    effects: describeEffects(facts),
  }),
})

/** Whether an error ends a dry run. */
export const isDryRun = (error: unknown): error is DryRun => error instanceof DryRun
