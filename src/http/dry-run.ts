import Type from 'typebox'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { Effect } from '#src/contract/confirmation.ts'
import type { Db } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { describeEffects, type Fact } from '#src/contract/fact.ts'
import type { Operation } from '#src/contract/operation.ts'
import { checkDeferred } from './queries.ts'

/** The response to a dry run, whatever the response to the write would be. */
export const DryRunAnswer = Type.Object(
  {
    dry_run: Type.Literal(true),
    status: Type.Integer({ description: 'The status of the response to the write' }),
    result: Type.Unknown({
      description:
        'The body that the write would return, with null for a new id; null when there is no body or it must not be revealed',
    }),
    effects: Type.Array(Effect, { description: 'What the write would do to money, mail and access' }),
  },
  { additionalProperties: false, title: 'DryRun' },
)

/** Thrown at the end of a dry run, so that everything it wrote is rolled back; carries the answer. */
export class DryRun extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('dry run')
    this.reply = reply
  }

  /** The result and the effects of the write, after the deferred constraints were checked. */
  static async of(
    db: Db,
    { operation, caller }: { readonly operation: Operation; readonly caller: Caller },
    reply: { status: number; body: string },
    facts: readonly Fact[],
  ): Promise<DryRun> {
    await checkDeferred(db)
    const isVeiled = operation.dryRun === 'veiled' || (operation.dryRun === 'veiled_unless_staff' && !isStaff(caller))
    const result = isVeiled || reply.body === '' ? null : withoutNewId(operation, JSON.parse(reply.body))
    return new DryRun({
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        vary: 'Authorization',
      },
      body: JSON.stringify({
        dry_run: true,
        status: reply.status,
        result,
        effects: describeEffects(isVeiled ? [] : facts),
      }),
    })
  }
}

// The resource was not created, so it has no id.
const withoutNewId = (operation: Operation, result: object): object =>
  operation.status === 201 && 'id' in result ? { ...result, id: null } : result

/** Whether an error ends a dry run. */
export const isDryRun = (error: unknown): error is DryRun => error instanceof DryRun
