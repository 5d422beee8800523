import Type from 'typebox'
import { Closed, Instant } from '#src/kit/shapes.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const counts = (members: Readonly<Record<string, ReturnType<typeof Count>>>) =>
  Type.Object(members, { additionalProperties: false })

/** How many members and apps a school has, and how many requests it received. */
export const SchoolUsage = Closed('SchoolUsage', {
  as_of: Instant,
  members: counts({
    active: Count('Members who can sign in'),
    invited: Count('Members who have not accepted yet'),
    suspended: Count('Members who are suspended'),
  }),
  apps: counts({ connected: Count('Apps that at least one member has allowed something that still holds') }),
  requests: counts({
    today: Count('Requests to the API since midnight UTC; those of the last minutes may be missing'),
    last_30_days: Count('Requests to the API today and on the 29 days before, by UTC'),
  }),
  areas: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer({ minimum: 0 })), {
    description: 'What each area of the API that has something to count counts, by its name',
  }),
})
