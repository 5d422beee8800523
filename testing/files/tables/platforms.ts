import { writeCsv } from './csv.ts'
import { platformPeople, type TablePerson } from './people.ts'

const joinName = ({ first = '', last = '' }: TablePerson): string => `${first} ${last}`.trim()

const midday = ({ joined = '' }: TablePerson): string => `${joined}T12:30:00Z`

/** The list of users of Teachable: `unsubscribed` is the opposite of a consent. */
export const teachable = (): Buffer =>
  Buffer.from(
    writeCsv(
      [
        ['userid', 'fullname', 'email', 'joined', 'last_login', 'login_count', 'unsubscribed', 'country'],
        ...platformPeople.map((person, at) => [
          String(71_204_311 + at * 17),
          joinName(person),
          person.email,
          midday(person),
          midday(person),
          String(at + 1),
          String(person.consents === false),
          'PT',
        ]),
      ],
      { lineEnd: '\n' },
    ),
  )

/** The users of Thinkific, by the names of its own template. */
export const thinkific = (): Buffer =>
  Buffer.from(
    writeCsv(
      [
        ['first_name', 'last_name', 'user_email', 'company', 'external_id', 'date_created'],
        ...platformPeople.map((person, at) => [
          person.first ?? '',
          person.last ?? '',
          person.email,
          '',
          `crm-${at + 1}`,
          `${person.joined} 12:30:00 UTC`,
        ]),
      ],
      { lineEnd: '\n' },
    ),
  )

const PROGRESS = [
  ['First loaf', '100', '2025-02-01', '2025-03-01'],
  ['First loaf', '50', '2025-02-01', ''],
  ['Sourdough from scratch', '0', '2025-04-10', ''],
  ['Sourdough from scratch', '33', '2025-04-11', ''],
] as const

/** The progress report of a group in Thinkific. */
export const thinkificProgress = (): Buffer =>
  Buffer.from(
    writeCsv(
      [
        [
          'Student First Name',
          'Student Last Name',
          'Student Email',
          'Company',
          'Course Name',
          '% Viewed',
          '% Completed',
          'Activated At',
          'Completed At',
          'Expiry Date',
        ],
        ...PROGRESS.map(([course, percent, activated, completed], at) => {
          const { first = '', last = '', email = '' } = platformPeople[at] ?? {}
          const [begin, end] = [activated, completed].map(day => (day === '' ? '' : `${day} 12:30:00 UTC`))
          return [first, last, email, '', course, percent, percent, begin ?? '', end ?? '', '']
        }),
      ],
      { lineEnd: '\n' },
    ),
  )

/** The contacts of Kajabi: one name, and tags in one cell. */
export const kajabi = (): Buffer =>
  Buffer.from(
    writeCsv(
      [
        [
          'Name',
          'Email',
          'Phone Number',
          'Tags',
          'Products',
          'Subscribed',
          'Added On',
          'Sign In Count',
          'Last Activity',
        ],
        ...platformPeople.map((person, at) => [
          joinName(person),
          person.email,
          person.phone ?? '',
          (person.tags ?? []).join(', '),
          'First loaf',
          person.consents === true ? 'Yes' : 'No',
          `${person.joined} 12:30:00 -0800`,
          String(at),
          '',
        ]),
      ],
      { lineEnd: '\n' },
    ),
  )

/** The people of Podia, with its three states of a subscription. */
export const podia = (): Buffer =>
  Buffer.from(
    writeCsv(
      [
        ['Email', 'Name', 'Subscription status', 'Joined', 'Lifetime value'],
        ...platformPeople.map((person, at) => [
          person.email,
          joinName(person),
          person.consents === true ? 'Subscribed' : at % 2 === 0 ? 'Not subscribed' : 'Unconfirmed',
          person.joined ?? '',
          '0.00',
        ]),
      ],
      { lineEnd: '\n', quotesAll: true },
    ),
  )
