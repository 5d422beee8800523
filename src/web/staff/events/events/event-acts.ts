import { Event } from '#src/areas/events/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormFile, formKeyIn, revisionIn, typedAmount } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { isChecked, lineIn, numberOrNull } from '../../forms/values.ts'
import { bodyIn } from './event-form.ts'
import { type EventShown, PATH, pathOf } from './frame.ts'
import { recurrenceIn } from './recurrence-form.ts'
import { timeIn } from './time-fields.ts'

/** What a form about an event asks for; returns the address to lead to. */
type EventAct = (
  context: StaffContext,
  event: EventShown,
  sent: { readonly form: Pairs; readonly files: readonly FormFile[]; readonly currency: string },
) => Promise<string>

const change = async (context: StaffContext, event: EventShown, form: Pairs, body: object): Promise<void> => {
  const params = { event_id: event.id }
  await context.call({ operation: 'updateEvent', params, body, revision: revisionIn(form) })
}

const moving =
  (operation: string, done: string): EventAct =>
  async (context, event, { form }) => {
    await context.call({ operation, params: { event_id: event.id }, revision: revisionIn(form) })
    return `${pathOf(event)}?done=${done}#publication`
  }

/** The terms of a cancellation that a form asks for. */
export const termsIn = (form: Pairs) => {
  const message = lineIn(form, 'message')
  return {
    reason: lineIn(form, 'reason'),
    refund: isChecked(form, 'refund') ? 'all' : 'none',
    ...(message === '' ? {} : { message }),
  }
}

const acts: Readonly<Record<string, EventAct>> = {
  save: async (context, event, { form }) => {
    await change(context, event, form, bodyIn(form, event, context.isStaff))
    return `${pathOf(event)}?done=saved`
  },
  image: async (context, event, { form, files }) => {
    const image = files.find(({ field }) => field === 'file')
    await change(context, event, form, {
      image_file_id: await storeFile(context.parts, context.person, image, 'event'),
    })
    return `${pathOf(event)}?done=uploaded#image`
  },
  remove_image: async (context, event, { form }) => {
    await change(context, event, form, { image_file_id: null })
    return `${pathOf(event)}?done=removed#image`
  },
  publish: moving('publishEvent', 'published'),
  unpublish: moving('unpublishEvent', 'unpublished'),
  dates: async (context, event, { form }) => {
    const params = { event_id: event.id }
    const body = recurrenceIn(form)
    await context.call({ operation: 'setEventRecurrence', params, body, revision: revisionIn(form) })
    return `${pathOf(event)}?done=dates#dates`
  },
  ticket: async (context, event, { form, currency }) => {
    const body = {
      name: lineIn(form, 'name'),
      amount: typedAmount(lineIn(form, 'amount') || '0', { pointer: '/amount', currency, language: context.language }),
      capacity: numberOrNull(form, 'capacity'),
      needs_approval: isChecked(form, 'needs_approval'),
    }
    const params = { event_id: event.id }
    await context.call({ operation: 'createTicketType', params, body, ...formKeyIn(form) })
    return `${pathOf(event)}?done=tickets#tickets`
  },
  remove_ticket: async (context, event, { form }) => {
    const params = { ticket_type_id: formField(form, 'ticket') }
    await context.call({ operation: 'deleteTicketType', params })
    return `${pathOf(event)}?done=tickets#tickets`
  },
  cancel: async (context, event, { form }) => {
    const params = { event_id: event.id }
    await context.call({ operation: 'cancelEvent', params, body: termsIn(form), revision: revisionIn(form) })
    return `${pathOf(event)}?done=cancelled`
  },
  copy: async (context, event, { form }) => {
    const params = { event_id: event.id }
    const { starts_at } = timeIn(form)
    const call = { operation: 'copyEvent', params, body: { starts_at }, ...formKeyIn(form), returns: Event } as const
    return `${pathOf(await context.call(call))}?done=copied`
  },
  delete: async (context, event, { form }) => {
    if (lineIn(form, 'confirm') !== event.name)
      refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not the name of the event' }])
    await context.call({ operation: 'deleteEvent', params: { event_id: event.id }, revision: revisionIn(form) })
    return `${PATH}?done=deleted`
  },
}

/** What a form asks for. Refuses one without a valid action. */
export const actOf = (form: Pairs): EventAct => {
  const name = formField(form, 'act')
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}
