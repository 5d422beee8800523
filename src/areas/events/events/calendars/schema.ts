import Type from 'typebox'

/** The calendar of the person behind the token. */
export const AccountCalendar = Type.Object(
  {
    url: Type.String({
      description: 'The address of your calendar; whoever has it sees your dates, so keep it to yourself',
    }),
  },
  { additionalProperties: false, title: 'AccountCalendar' },
)
