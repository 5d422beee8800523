import Type from 'typebox'
import { Closed } from '#src/kit/shapes.ts'

/** The calendar of the person behind the token. */
export const AccountCalendar = Closed('AccountCalendar', {
  url: Type.String({
    description: 'The address of your calendar; whoever has it sees your dates, so keep it to yourself',
  }),
})
