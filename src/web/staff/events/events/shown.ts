import type { Static } from 'typebox'
import type { RecurrenceChange, TicketTypePage } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Choice } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn } from '../../forms/errors.ts'
import type { FormState } from '../../forms/fields.ts'
import type { DateShown, EventShown } from './frame.ts'
import { eventsText as text } from './text.ts'

/** What was typed just now, with what was refused, or what a dry run says of it. */
export type Again = {
  readonly form: Pairs
  readonly refusal?: Refusal
  readonly dates?: Encoded<Static<typeof RecurrenceChange>> | undefined
  /** What a cancellation would do, in sentences. */
  readonly effects?: readonly string[]
}

/** A ticket of an event as pages get it. */
export type TicketShown = Encoded<Static<typeof TicketTypePage>>['data'][number]

/** What the page of an event shows. */
export type EventView = {
  readonly event: EventShown
  /** The dates that are not over, the earliest first. */
  readonly dates: readonly DateShown[]
  readonly hasMore: boolean
  readonly tickets: readonly TicketShown[]
  readonly currency: string
  /** What can be chosen, for staff. */
  readonly choices: {
    readonly hosts: readonly Choice[]
    readonly groups: readonly Choice[]
    readonly plans: readonly Choice[]
    readonly courses: readonly Choice[]
  }
  readonly again: Again | undefined
}

/** The state of the form of some acts: what was typed into it just now, or else what is stored. */
export const stateOf = (
  { language }: StaffContext,
  again: Again | undefined,
  acts: readonly string[],
  stored: Pairs = [],
): FormState =>
  again === undefined || !acts.includes(formField(again.form, 'act'))
    ? { typed: stored, errors: new Map() }
    : { typed: again.form, errors: errorsIn(again.refusal, language, text.errors) }
